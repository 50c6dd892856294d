import { Readable } from "node:stream";
import type Docker from "dockerode";
import { pack } from "tar-stream";
import { followProgress } from "./progress.ts";

/** A file that the Dockerfile may COPY; it is readable by all and belongs to root. */
export interface ContextFile {
  readonly path: string;
  readonly content: Buffer | string;
  readonly executable?: boolean | undefined;
}

/** One image build: the text of the Dockerfile, what it may COPY, and its ARGs. */
export interface ImageBuild {
  readonly tag: string;
  readonly dockerfile: Buffer;
  readonly files: readonly ContextFile[];
  readonly args: Readonly<Record<string, string>>;
}

const DOCKERFILE = ".dockerfile";

/**
 * Builds an image from files in memory. Build steps use the host's network, so that a package proxy on the host's loopback
 * address works for them as well. Times are fixed: only names, modes and contents count.
 */
export async function buildImage(docker: Docker, { tag, dockerfile, files, args }: ImageBuild): Promise<void> {
  const context = pack();
  const own: ContextFile[] = [
    { path: DOCKERFILE, content: dockerfile },
    { path: ".dockerignore", content: ".docker*\n" },
  ];
  for (const { path, content, executable } of [...own, ...files]) {
    context.entry({ name: path, mode: executable ? 0o755 : 0o644, mtime: new Date(0) }, content);
  }
  context.finalize();
  const stream = await docker.buildImage(Readable.from(context), {
    t: tag,
    dockerfile: DOCKERFILE,
    buildargs: { ...args },
    networkmode: "host",
    rm: true,
    forcerm: true,
  });
  await followProgress(stream, `build ${tag}`);
}
