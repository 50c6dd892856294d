import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Checks the signature of what is posted and answers: what any receiver of webhooks has to do. Says its port on the first line. */
const secret = process.argv[2] ?? "";

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const expected = `sha256=${createHmac("sha256", secret).update(Buffer.concat(chunks)).digest("hex")}`;
  response.writeHead(request.headers["x-hub-signature-256"] === expected ? 200 : 400).end();
});

server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
