/**
 * Runs `work` while only this process holds the lock file `path`. Takes over a lock whose holder no longer runs. The
 * file names its holder by process id and start time, because process ids are reused after a container restarts.
 * @param onWait called once when another process has the lock
 */
export function withLock<T>(path: string, work: () => Promise<T>, onWait?: () => void): Promise<T>;

/** Whether a process with this id exists, no matter which user runs it. */
export function isRunning(pid: number): boolean;
