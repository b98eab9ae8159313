import { isUtf8 } from 'node:buffer'
import { watch } from 'node:fs'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { WireError } from '../src/resource-list/wire-error.ts'
import { systemFault } from './usage-error.ts'

/** The effects of a command beside reading and writing files. Tests have a host that records. */
export interface Host {
  /** Reads the whole of stdin. Throws WireError when the input is no UTF-8. */
  read(): Promise<string>
  /** Writes text for people, or JSON, to stdout. */
  write(text: string): void
  /** Writes data for another program to stdout without changes: a ResourceList, a page. */
  writeData(text: string): void
  /** Writes any other output, such as findings, to stderr. */
  warn(text: string): void
  /** Draws a progress bar that overwrites itself on the terminal of stderr. The text holds nothing that was read. */
  draw(text: string): void
  /** Returns the path on disk of a file or folder that the caller named relative to the working directory. */
  locate(path: string): string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** True when stdout is a terminal; `columns` is the terminal's width. */
  readonly isTerminal: boolean
  readonly columns?: number
  /** True when stderr is a terminal. */
  readonly isErrorTerminal: boolean
  /** Yields each time that files below a folder changed. Several changes in short time are one. */
  watch(folder: string): AsyncIterable<unknown>
  /** Registers an action that cleans up before Ctrl-C or SIGTERM ends the process. */
  onInterrupt(act: () => void): void
  /** The text of `--version`, such as `1.2.3 (commit 0123456789ab, …)`. */
  readonly version: string
}

/** 0: done, or nothing to do. 1: an error. 2: changes were found. 130: Ctrl-C. */
export type ExitCode = 0 | 1 | 2 | 130

/**
 * The signals that end the process by its own will, with the exit codes of a shell. SIGTERM is the signal of `timeout`, and of a pod that
 * ends.
 */
const ENDING = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

/**
 * Returns the host of this process. Ctrl-C and SIGTERM end the process while it waits for stdin or for a reader of stdout. During work they
 * take effect after the work, so that no file is half written, and that what the work found is printed. If the process need not wait after
 * the work, the exit code is that of the work.
 */
export function processHost(version: string): Host {
  process.stdout.on('error', endWriting)
  // When stderr is closed, errors cannot be reported anywhere.
  process.stderr.on('error', () => {})
  const interrupted: (() => void)[] = []
  for (const [signal, exitCode] of ENDING)
    process.on(signal, () => {
      for (const act of interrupted) act()
      process.exit(exitCode)
    })
  return {
    read: async () => decode(await buffer(process.stdin)),
    write: (text) => void process.stdout.write(text),
    writeData: (data) => void process.stdout.write(data),
    warn: (message) => void process.stderr.write(message),
    draw: (bar) => void process.stderr.write(bar),
    locate: (path) => resolve(path),
    environment: process.env,
    isTerminal: process.stdout.isTTY ?? false,
    ...(process.stdout.isTTY && { columns: process.stdout.columns }),
    isErrorTerminal: process.stderr.isTTY ?? false,
    watch: changesBelow,
    onInterrupt: (act) => void interrupted.push(act),
    version,
  }
}

/** Yields after changes below a folder, once no change followed for a while: editors write a file in several steps. */
async function* changesBelow(folder: string): AsyncGenerator<void> {
  let [changes, reported] = [0, 0]
  let wake = () => {}
  const watcher = watch(folder, { recursive: true }, () => {
    changes += 1
    wake()
  })
  try {
    for (;;) {
      if (reported === changes) await new Promise<void>((resolve) => (wake = resolve))
      while (reported !== changes) {
        reported = changes
        await setTimeout(QUIET)
      }
      yield
    }
  } finally {
    watcher.close()
  }
}

const QUIET = 100

/**
 * Ignores a reader that closes the pipe: the work continues, since its exit code still counts. Any other error ends the process with exit
 * code 1.
 */
function endWriting(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  process.stderr.write(`krm-variants: cannot write to stdout: ${systemFault(error) ?? error.message}\n`)
  process.exit(1)
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new WireError('expected UTF-8 on stdin, found other bytes')
  return bytes.toString('utf8')
}
