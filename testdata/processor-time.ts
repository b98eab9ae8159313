/**
 * How much of the processor a piece of work takes, in units: the time of a fixed piece of work right before and right after it, the larger
 * of the two. Time of the clock grows with the number of processes beside this one, time of the processor with what they do to its caches;
 * the unit grows with it.
 */
export function unitsOf<T>(work: () => T): { readonly value: T; readonly units: number } {
  const before = unitTime()
  const { value, time } = timed(work)
  return { value, units: time / Math.max(before, unitTime()) }
}

/** The time of a unit now: 35 ms of the processor on a machine where nothing else runs. */
export function unitTime(): number {
  return timed(fixedWork).time
}

/** Returns what a piece of work gives, and the microseconds of the processor that it takes in all threads of this process. */
export function timed<T>(work: () => T): { readonly value: T; readonly time: number } {
  const start = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(start)
  return { value, time: user + system }
}

/** Objects, texts and maps, as reading and evaluating make them. */
function fixedWork(): void {
  const rows = Array.from({ length: 10_000 }, (_, i) => ({ key: `key-${i}`, list: [i, i + 1], text: 'x'.repeat(i % 50) }))
  for (let round = 0; round < 2; round++) {
    const read: typeof rows = JSON.parse(JSON.stringify(rows))
    const byKey = new Map(read.map((row) => [row.key, row]))
    for (const { key } of rows) byKey.delete(key)
  }
}

// The first time is longer: nothing is compiled yet.
fixedWork()
