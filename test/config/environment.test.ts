import { expect, test } from "vitest";
import { readSettings } from "../../src/config/environment.ts";

test("a local endpoint needs a model's name and no key", () => {
  const settings = readSettings({ OPENAI_BASE_URL: "http://127.0.0.1:8080/v1", AUTOLITH_MODEL: "qwen3-coder" });
  expect(settings.model).toEqual({ baseUrl: "http://127.0.0.1:8080/v1", apiKey: "not-needed", model: "qwen3-coder" });
  expect(settings.secrets).toEqual([]);
});

test("an endpoint without a model's name is refused with a hint", () => {
  expect(() => readSettings({ OPENAI_BASE_URL: "http://127.0.0.1:8080/v1" })).toThrow(/AUTOLITH_MODEL is required/);
});

test("nothing configured says what to set", () => {
  expect(() => readSettings({})).toThrow(/set OPENAI_API_KEY, or OPENAI_BASE_URL and AUTOLITH_MODEL/);
});

test("an empty variable counts as not set", () => {
  expect(() => readSettings({ OPENAI_API_KEY: "" })).toThrow(/no model is configured/);
});

test("an unknown AUTOLITH_ name is refused with the name that was meant", () => {
  expect(() => readSettings({ OPENAI_API_KEY: "k", AUTOLITH_MODLE: "x" })).toThrow(
    "unknown variable AUTOLITH_MODLE; did you mean AUTOLITH_MODEL?",
  );
});

test("an address that is no URL is named", () => {
  expect(() => readSettings({ OPENAI_BASE_URL: "localhost:80", AUTOLITH_MODEL: "m" })).toThrow(/OPENAI_BASE_URL/);
});

test("the key is a secret", () => {
  expect(readSettings({ OPENAI_API_KEY: "k-123456" }).secrets).toEqual(["k-123456"]);
});
