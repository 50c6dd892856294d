import { type Answer, ApiError, found, validationFailed } from "../http/answer.ts";
import type { Call, Input, Route } from "../http/call.ts";
import { page } from "../http/pagination.ts";
import { annotationJson, checkRunJson } from "../json/checks.ts";
import type { Annotation, CheckConclusion, CheckRun } from "../world/check.ts";
import type { CheckRunChange } from "../world/checks.ts";
import { commitOf } from "./commits.ts";

/** Longest summary and text of a check run, in bytes. */
const LONGEST_OUTPUT = 65_535;

/** Check runs. */
export const checkRunRoutes: readonly Route[] = [
  { on: "POST /repos/{owner}/{repo}/check-runs", needs: "checks:write", answer: create },
  { on: "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", needs: "checks:write", answer: update },
  {
    on: "GET /repos/{owner}/{repo}/check-runs/{check_run_id}",
    needs: "checks:read",
    answer: (call) => ({ status: 200, body: checkRunJson(call.world, checkRunOf(call)) }),
  },
  {
    on: "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
    needs: "checks:read",
    answer: listAnnotations,
  },
  { on: "GET /repos/{owner}/{repo}/commits/{ref}/check-runs", needs: "checks:read", answer: listForRef },
  {
    on: "GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs",
    needs: "checks:read",
    answer: listForSuite,
  },
];

type CreateInput = Input<"checks", "create">;

async function create(call: Call): Promise<Answer> {
  const input = call.input<"checks", "create">();
  const headSha = await commitOf(call, input.head_sha);
  const change = changeOf(input);
  const checkRun = await call.world.checks.create(call.repository, {
    ...change,
    app: call.world.app,
    name: input.name,
    headSha,
  });
  return { status: 201, body: checkRunJson(call.world, checkRun) };
}

function update(call: Call): Answer {
  const checkRun = checkRunOf(call);
  const { app } = checkRun.suite;
  if (app.id !== call.world.app.id) {
    throw new ApiError(
      403,
      `Invalid app_id \`${call.world.app.id}\` - check run can only be modified by the GitHub App that created it.`,
    );
  }
  call.world.checks.update(checkRun, changeOf(call.input<"checks", "update">() as Partial<CreateInput>));
  return { status: 200, body: checkRunJson(call.world, checkRun) };
}

function changeOf(input: Partial<CreateInput>): CheckRunChange {
  const conclusion = input.conclusion as CheckConclusion | undefined;
  if (conclusion === "stale") throw validationFailed({ resource: "CheckRun", field: "conclusion", code: "invalid" });
  if (input.status === "completed" && conclusion === undefined) {
    throw validationFailed({ resource: "CheckRun", field: "conclusion", code: "missing_field" });
  }
  const { output } = input;
  checkLength("summary", output?.summary);
  checkLength("text", output?.text);
  return {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.status === undefined ? {} : { status: input.status }),
    ...(conclusion === undefined ? {} : { conclusion }),
    ...(input.external_id === undefined ? {} : { externalId: input.external_id }),
    ...(input.details_url === undefined ? {} : { detailsUrl: input.details_url }),
    ...(input.started_at === undefined ? {} : { startedAt: input.started_at }),
    ...(input.completed_at === undefined ? {} : { completedAt: input.completed_at }),
    ...(input.actions === undefined ? {} : { actions: input.actions }),
    ...(output === undefined
      ? {}
      : { output: { title: output.title ?? null, summary: output.summary, text: output.text ?? null } }),
    annotations: (output?.annotations ?? []).map(annotationOf),
  };
}

type AnnotationInput = NonNullable<NonNullable<CreateInput["output"]>["annotations"]>[number];

function annotationOf(input: AnnotationInput): Annotation {
  return {
    path: input.path,
    startLine: input.start_line,
    endLine: input.end_line,
    startColumn: input.start_column ?? null,
    endColumn: input.end_column ?? null,
    level: input.annotation_level,
    message: input.message,
    title: input.title ?? null,
    rawDetails: input.raw_details ?? null,
  };
}

/** GitHub counts bytes here, and characters elsewhere. */
function checkLength(field: string, value: string | undefined): void {
  if (Buffer.byteLength(value ?? "") <= LONGEST_OUTPUT) return;
  const message = `${field} exceeds a maximum bytesize of ${LONGEST_OUTPUT}`;
  throw validationFailed({ resource: "CheckRun", field, code: "custom", message });
}

function checkRunOf(call: Call): CheckRun {
  return found(call.repository.checkRuns.get(call.number("check_run_id")));
}

function listAnnotations(call: Call): Answer {
  const checkRun = checkRunOf(call);
  return page(call, checkRun.annotations, (annotation) => annotationJson(call.world, checkRun, annotation));
}

async function listForRef(call: Call): Promise<Answer> {
  const sha = await commitOf(call, call.parameter("ref"));
  const appId = call.query["app_id"];
  const runs = [...call.repository.checkRuns.values()].filter(
    ({ suite }) => suite.headSha === sha && (appId === undefined || suite.app.id === appId),
  );
  return listRuns(call, runs.reverse());
}

function listForSuite(call: Call): Answer {
  return listRuns(call, call.world.checks.runsOf(found(call.repository.suites.get(call.number("check_suite_id")))));
}

/** Applies what all lists of check runs can be filtered by. `latest`, the default, keeps the newest of a name and app. */
function listRuns(call: Call, newestFirst: readonly CheckRun[]): Answer {
  const { check_name: name, status, filter = "latest" } = call.query;
  const key = (run: CheckRun): string => `${run.suite.app.id}:${run.suite.id}:${run.name}`;
  const wanted = newestFirst.filter((run, index) => {
    if (name !== undefined && run.name !== name) return false;
    if (status !== undefined && run.status !== status) return false;
    return filter === "all" || newestFirst.findIndex((other) => key(other) === key(run)) === index;
  });
  return page(
    call,
    wanted,
    (run) => checkRunJson(call.world, run),
    (rendered, total) => ({ total_count: total, check_runs: rendered }),
  );
}
