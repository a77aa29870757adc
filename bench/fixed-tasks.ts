/**
 * Reads public instances of personnel task scheduling (tasks fixed in time, workers with some of the skills, the fewest
 * workers) as cover problems. A task is an unassigned session of its own client, which is covered whole or not at all;
 * a worker is a BCBA; whom a client knows are those who have the skill. Admin time over lunch makes all points constant
 * but those for a covered task and for a worker.
 */
import { formatTime, SLOTS, slotStart } from '@clinic/domain';
import type { CoverProblem } from '@clinic/cover-engine';

interface FixedTasks {
  readonly tasks: readonly (readonly [number, number])[];
  /** For each worker, the tasks that they can do. */
  readonly skills: readonly (readonly number[])[];
}

/** Reads the `.dat` files in which these instances are distributed. */
function readFixedTasks(text: string): FixedTasks {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const after = (head: string): string[] => {
    const at = lines.findIndex((line) => line.startsWith(head));
    const count = Number(lines[at]?.split('=')[1]);
    if (!(count > 0)) throw new Error(`This is not an instance of fixed tasks: it does not say how many ${head}.`);
    return lines.slice(at + 1, at + 1 + count);
  };
  const numbers = (line: string): number[] => line.split(/\s+/).filter(Boolean).map(Number);
  return {
    tasks: after('Jobs').map((line) => numbers(line) as [number, number]),
    skills: after('Qualifications').map((line) => numbers(line.split(':')[1] ?? '')),
  };
}

/**
 * For each task, its first slot and the one after its last, where a slot is a largest set of overlapping tasks. These
 * say which tasks overlap, and nothing else matters.
 */
function inSlots(tasks: FixedTasks['tasks']): { from: number; to: number }[] {
  const slots = tasks.map(() => ({ from: 0, to: 0 }));
  const events = tasks.flatMap(([start, end], task) => [
    { at: start, task, begins: true },
    { at: end, task, begins: false },
  ]);
  events.sort((a, b) => a.at - b.at || Number(a.begins) - Number(b.begins));
  let slot = 0;
  let begun = false;
  for (const { task, begins } of events) {
    if (!begins && begun) slot++;
    begun = begins;
    if (begins) slots[task]!.from = slot;
    else slots[task]!.to = slot;
  }
  return slots;
}

/** The instance as a cover problem, in slots of the engine's day. */
export function toCoverProblem(text: string): CoverProblem {
  const { tasks, skills } = readFixedTasks(text);
  const time = (slot: number): string => formatTime(slotStart(slot));
  const slots = inSlots(tasks);
  const knows = tasks.map((): Record<string, 'team'> => ({}));
  skills.forEach((able, worker) => {
    for (const task of able) knows[task]![`W${worker}`] = 'team';
  });
  const [start, end] = ['11:00', '14:30'];
  return {
    format: 'cover-problem/3',
    date: '2026-11-20',
    location: 'altamonte',
    now: null,
    therapists: skills.map((_, worker) => ({
      id: `W${worker}`,
      name: `Worker ${worker}`,
      credential: 'BCBA',
      gender: 'Female',
      available: [[time(0), time(SLOTS)]],
      load: [],
      call: 1,
    })),
    clients: tasks.map((_, task) => ({ id: `C${task}`, name: `Task ${task}`, knows: knows[task]! })),
    sessions: [
      ...slots.map(({ from, to }, task) => ({
        id: `S${task}`,
        client: `C${task}`,
        therapist: null,
        start: time(from),
        end: time(to),
        service: 'parent-training' as const,
      })),
      ...skills.map((_, worker) => ({
        id: `A${worker}`,
        client: null,
        therapist: `W${worker}`,
        start,
        end,
        service: 'admin' as const,
      })),
    ],
    absences: [],
  };
}
