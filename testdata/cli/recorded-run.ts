import { resolve } from 'node:path'
import type { ExitCode, Host } from '../../cli/host.ts'
import { krmVariants } from '../../cli/krm-variants.ts'

/** The output of a run and its exit code. `both` is stdout and stderr as a terminal mixes them. */
export interface RecordedRun {
  readonly stdout: string
  readonly stderr: string
  readonly both: string
  readonly exitCode: ExitCode
}

/**
 * Returns a host that remembers what is said.
 *
 * @param other what differs from a run in a pipe without stdin and environment
 */
export function recordingHost(folder: string, other: Partial<Host> = {}) {
  const said = { stdout: '', stderr: '', both: '' }
  const record = (stream: 'stdout' | 'stderr') => (text: string) => {
    said[stream] += text
    said.both += text
  }
  const host: Host = {
    read: async () => '',
    write: record('stdout'),
    writeData: record('stdout'),
    warn: record('stderr'),
    draw: record('stderr'),
    locate: (path) => resolve(folder, path),
    environment: {},
    isTerminal: false,
    isErrorTerminal: false,
    watch: () => {
      throw new Error('nothing is watched')
    },
    onInterrupt: () => {},
    version: '1.2.3',
    ...other,
  }
  return { host, said }
}

/** Runs the tool in this process as its own process would be, and remembers what it says. The parameters are those of `recordingHost`. */
export async function recordRun(folder: string, args: readonly string[], other: Partial<Host> = {}): Promise<RecordedRun> {
  const { host, said } = recordingHost(folder, other)
  const exitCode = await krmVariants(args, host)
  return { ...said, exitCode }
}
