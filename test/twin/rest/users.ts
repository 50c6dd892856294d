import { found } from "../http/answer.ts";
import type { Route } from "../http/call.ts";
import { profileJson, userJson } from "../json/accounts.ts";
import { permissionOf } from "../world/account.ts";

/** Users, and what they may do in a repository. */
export const userRoutes: readonly Route[] = [
  {
    on: "GET /users/{username}",
    needs: "token",
    answer: (call) => ({
      status: 200,
      body: profileJson(call.world, found(call.world.accounts.byLogin(call.parameter("username")))),
    }),
  },
  {
    on: "GET /user/{account_id}",
    needs: "token",
    answer: (call) => ({
      status: 200,
      body: profileJson(call.world, found(call.world.accounts.byId(call.number("account_id")))),
    }),
  },
  {
    on: "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
    needs: "metadata:read",
    answer: (call) => {
      const user = found(call.world.accounts.byLogin(call.parameter("username")));
      const role = call.world.repositories.roleOf(call.repository, user);
      const permission = permissionOf(role);
      const able = {
        admin: permission === "admin",
        maintain: role === "maintain" || permission === "admin",
        push: permission === "admin" || permission === "write",
        triage: role !== "none" && role !== "read",
        pull: permission !== "none",
      };
      return {
        status: 200,
        body: {
          permission,
          role_name: role,
          user: { ...userJson(call.world, user), permissions: able, role_name: role },
        },
      };
    },
  },
];
