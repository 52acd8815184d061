// Who may do what by the jobs that a contract names (C-02).

import type { PersonId } from './ids.ts';
import type { Responsible, Roster } from './policy.ts';

/** Whether a person holds a job: by name, by role, or as the one who steps in. */
export function holdsJob(by: PersonId, job: Responsible, { people }: Pick<Roster, 'people'>): boolean {
  const person = people.find((one) => one.id === by);
  if (person === undefined) return false;
  return job.backup === by || ('person' in job ? job.person === by : person.roles.includes(job.role));
}
