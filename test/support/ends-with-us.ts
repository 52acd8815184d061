import type { ChildProcess } from 'node:child_process';

/** Ends a process that we started when we end before we could stop it in order. */
export function endsWithUs(child: ChildProcess): ChildProcess {
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}
