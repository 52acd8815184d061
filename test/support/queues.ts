/** Queues of a running Baton with messages in them: all of these are failures nobody handled. */
export async function waitingMessages(console: string): Promise<string[]> {
  const { queues } = (await (await fetch(new URL('/_baton/overview', console))).json()) as { queues: { name: string; visible: number; inFlight: number; delayed: number }[] };
  return queues.filter((queue) => queue.visible + queue.inFlight + queue.delayed > 0).map((queue) => queue.name);
}
