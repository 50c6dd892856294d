ALTER TABLE "autolith"."repositories" ADD COLUMN "greeted_on" integer;
