import { printable } from './printable.ts'

/** The parts of the program that can log their work. */
const TOPICS = ['resolve'] as const
export type DebugTopic = (typeof TOPICS)[number]

/** Writes one line of a log. */
export type DebugLog = (line: string) => void

const logs = new Map<string, DebugLog>()

/**
 * Turns on the logs of the named topics, and turns off all others.
 *
 * @param names  the value of the variable `KRM_VARIANTS_DEBUG`: topics, separated by commas
 * @param write  receives whole lines, for stderr
 */
export function turnOnDebugLogs(names = '', write: (text: string) => void): void {
  logs.clear()
  if (names === '') return
  for (const name of names.split(',').map((each) => each.trim())) {
    if (TOPICS.some((topic) => topic === name)) logs.set(name, (line) => write(`${name}: ${printable(line)}\n`))
    else if (name !== '') write(`KRM_VARIANTS_DEBUG: must name ${TOPICS.join(', ')}, got '${printable(name)}'\n`)
  }
}

/** Returns the log of a topic; undefined if the topic is not logged, so that its lines need not be made. */
export function debugLog(topic: DebugTopic): DebugLog | undefined {
  return logs.get(topic)
}
