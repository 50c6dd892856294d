import { parentPort, workerData } from "node:worker_threads";
import { type Burst, sendBurst } from "./burst-sender.ts";

/** Sends the burst that it was started with, and answers with its times. */
parentPort?.postMessage(await sendBurst(workerData as Burst));
