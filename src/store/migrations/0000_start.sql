CREATE TABLE "autolith"."deliveries" (
  "guid" text PRIMARY KEY,
  "event" text NOT NULL,
  "received_at" timestamp with time zone NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE TABLE "autolith"."jobs" (
  "id" uuid PRIMARY KEY,
  "queue_id" uuid NOT NULL,
  "key" text NOT NULL,
  "state" text NOT NULL CHECK ("state" IN ('queued', 'active', 'ended')),
  "installation_id" bigint NOT NULL,
  "repository_id" bigint NOT NULL,
  "sha" text,
  "sha_seen_at" timestamp with time zone NOT NULL,
  "work" jsonb NOT NULL,
  "ending" jsonb,
  "attempts" integer NOT NULL DEFAULT 0,
  "failures" integer NOT NULL DEFAULT 0,
  "running" boolean NOT NULL DEFAULT false,
  "check_run_id" bigint,
  "comment_id" bigint,
  "pull_request" integer,
  "failure" text,
  "spend" jsonb,
  "resume" jsonb,
  "outcome" text,
  "reason" text,
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  "started_at" timestamp with time zone,
  "ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_one_queued" ON "autolith"."jobs" ("key") WHERE state = 'queued';
--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_one_active" ON "autolith"."jobs" ("key") WHERE state = 'active';
--> statement-breakpoint
CREATE INDEX "jobs_by_key" ON "autolith"."jobs" ("key", "sha");
--> statement-breakpoint
CREATE INDEX "jobs_by_repository" ON "autolith"."jobs" ("repository_id", "created_at");
--> statement-breakpoint
CREATE TABLE "autolith"."heads" (
  "installation_id" bigint NOT NULL,
  "repository_id" bigint NOT NULL,
  "key" text PRIMARY KEY,
  "sha" text NOT NULL,
  "pushed_at" timestamp with time zone NOT NULL,
  "draft" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "autolith"."refusals" (
  "installation_id" bigint NOT NULL,
  "repository_id" bigint NOT NULL,
  "failure" text NOT NULL,
  "pull_request" integer NOT NULL,
  "refused_at" timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY ("repository_id", "failure")
);
--> statement-breakpoint
CREATE TABLE "autolith"."repositories" (
  "id" bigint PRIMARY KEY,
  "installation_id" bigint NOT NULL,
  "greeted_at" timestamp with time zone NOT NULL DEFAULT now()
);
