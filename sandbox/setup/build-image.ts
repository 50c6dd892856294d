import { Readable } from "node:stream";
import type Docker from "dockerode";
import { pack } from "tar-stream";
import type { ImageFile } from "../../src/sandbox/image.ts";
import { followProgress } from "./progress.ts";

/** One image build: the text of the Dockerfile, what it may COPY, and its ARGs. */
export interface ImageBuild {
  readonly tag: string;
  readonly dockerfile: Buffer;
  readonly files: readonly ImageFile[];
  readonly args: Readonly<Record<string, string>>;
}

const DOCKERFILE = ".dockerfile";

/**
 * Builds an image from files in memory. Build steps use the host's network, so that a package proxy on the host's loopback
 * address works for them as well. Owner, mode and time of the files are fixed: only names and contents count.
 */
export async function buildImage(docker: Docker, { tag, dockerfile, files, args }: ImageBuild): Promise<void> {
  const context = pack();
  const ignored = { path: ".dockerignore", content: Buffer.from(`${DOCKERFILE}\n.dockerignore\n`) };
  for (const { path, content } of [...files, ignored, { path: DOCKERFILE, content: dockerfile }]) {
    context.entry({ name: path, size: content.length, mode: 0o644, mtime: new Date(0) }, content);
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
