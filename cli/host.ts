import { isUtf8 } from 'node:buffer'
import { watch } from 'node:fs'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { WireError } from '../src/resource-list/wire-error.ts'
import { systemFault } from './system-fault.ts'

/** What a command may touch besides the files it is told to read: tests have one that remembers. */
export interface Host {
  /** The whole of stdin; a WireError when it is no UTF-8. */
  read(): Promise<string>
  /** Text for people and JSON, to stdout. */
  write(text: string): void
  /** Data for another program, to stdout exactly as it is: a ResourceList, a page. */
  writeData(text: string): void
  /** Everything else, to stderr. */
  warn(text: string): void
  /** A bar that overwrites itself on the terminal of stderr; it holds nothing that was read. */
  draw(text: string): void
  /** The place of a file or folder that the caller named from the folder it is in. */
  locate(path: string): string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether a person reads stdout, and how wide their terminal is. */
  readonly isTerminal: boolean
  readonly columns?: number
  /** Whether a person reads stderr. */
  readonly isErrorTerminal: boolean
  /** Tells each time that something below a folder changed; several changes at once are one. */
  watch(folder: string): AsyncIterable<unknown>
  /** Has something tidied up before Ctrl-C ends the process. */
  onInterrupt(act: () => void): void
  /** What `--version` tells, such as `1.2.3 (commit 0123456789ab, Porch v1.5)`. */
  readonly version: string
}

/** 0 done, or nothing to do; 1 an error; 2 there are changes; 130 Ctrl-C. */
export type ExitCode = 0 | 1 | 2 | 130

/**
 * The process itself. Ctrl-C ends it with 130 while it waits, for stdin or for a reader of stdout. While it works it does not look: the
 * work is finished first, so that files are never left half done, and when nothing has to wait then, the exit code is that of the work.
 */
export function processHost(version: string): Host {
  process.stdout.on('error', endWriting)
  // Where nobody hears what is wrong, nothing can be done about it.
  process.stderr.on('error', () => {})
  const interrupted: (() => void)[] = []
  process.on('SIGINT', () => {
    for (const act of interrupted) act()
    process.exit(130)
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

/** Editors write a file in several steps: only when nothing happens for a while the folder is as somebody wants it. */
async function* changesBelow(folder: string): AsyncGenerator<void> {
  let [changes, told] = [0, 0]
  let wake = () => {}
  const watcher = watch(folder, { recursive: true }, () => {
    changes += 1
    wake()
  })
  try {
    for (;;) {
      if (told === changes) await new Promise<void>((resolve) => (wake = resolve))
      while (told !== changes) {
        told = changes
        await setTimeout(QUIET)
      }
      yield
    }
  } finally {
    watcher.close()
  }
}

const QUIET = 100

/** A reader that closes the pipe has seen enough. The work goes on to its end, since its exit code is still asked for. */
function endWriting(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return
  process.stderr.write(`krm-variants: cannot write to stdout: ${systemFault(error) ?? error.message}\n`)
  process.exit(1)
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new WireError('expected UTF-8 on stdin, found other bytes')
  return bytes.toString('utf8')
}
