import type { Route } from "../http/call.ts";
import type { LogStorage } from "../http/log-storage.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { actionRoutes } from "./actions.ts";
import { appRoutes } from "./app.ts";
import { checkRunRoutes } from "./check-runs.ts";
import { checkSuiteRoutes } from "./check-suites.ts";
import { commitRoutes } from "./commits.ts";
import { contentRoutes } from "./contents.ts";
import { gitDataRoutes } from "./git-data.ts";
import { hookDeliveryRoutes } from "./hook-deliveries.ts";
import { issueRoutes } from "./issues.ts";
import { pullRoutes } from "./pulls.ts";
import { reactionRoutes } from "./reactions.ts";
import { refRoutes } from "./refs.ts";
import { repositoryRoutes } from "./repositories.ts";
import { reviewRoutes } from "./reviews.ts";
import { userRoutes } from "./users.ts";

/** Every operation that the twin knows. */
export function allRoutes(webhooks: Webhooks, logs: LogStorage): readonly Route[] {
  return [
    ...appRoutes,
    ...hookDeliveryRoutes(webhooks),
    ...userRoutes,
    ...repositoryRoutes,
    ...contentRoutes,
    ...refRoutes,
    ...commitRoutes,
    ...gitDataRoutes,
    ...issueRoutes,
    ...reactionRoutes,
    ...checkRunRoutes,
    ...checkSuiteRoutes,
    ...pullRoutes,
    ...reviewRoutes,
    ...actionRoutes(logs),
  ];
}
