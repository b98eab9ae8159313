import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { errorCode } from '../../error-code.ts'
import { MAX_INPUT_BYTES } from '../../resource-list/limits.ts'
import type { FunctionAnswer, Runner } from '../match.ts'

/** Settings for running the user's programs. */
export interface ProgramSettings {
  /** The folder that the tool was started in; relative program names begin there, as in kpt. */
  readonly folder: string
  /** The environment, passed on unchanged. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The longest time of one call. */
  readonly seconds: number
}

/** The programs that run at one time. */
export const AT_ONCE = Math.min(8, availableParallelism())

/** The words of one call, and how the call is ended beside killing its processes. */
export interface ProgramCall {
  readonly words: readonly string[]
  readonly end?: () => void
}

/**
 * Returns the runner of a program that the user allowed: `exec` of a Kptfile with --allow-exec, or --function. The program runs without
 * a shell and reads the list from stdin. A program that exceeds the time limit, or prints too much, is killed together with the
 * programs that it started.
 */
export function programRunner(words: readonly string[], settings: ProgramSettings): Runner {
  return callRunner(() => ({ words }), settings)
}

/** Returns a runner that starts a program for each call; `callOf` returns the words of a call. */
export function callRunner(callOf: () => ProgramCall, settings: ProgramSettings): Runner {
  const atOnce = (input: string): FunctionAnswer => callAndWait(callOf(), input, settings)
  return Object.assign(atOnce, { later: (input: string) => call(callOf(), input, settings) })
}

/** The calls of `later` that have not ended. */
const running = new Set<() => void>()

/** Ends the programs that run now, before the process ends: they have process groups of their own, which Ctrl-C does not reach. */
export function endPrograms(): void {
  for (const end of running) end()
}

const MEGABYTE = 1024 * 1024
const LEAST_OUTPUT = 32 * MEGABYTE

/** Returns the most bytes that a function may print to stdout, and to stderr: eight times its input, but 32 to 256 MB. */
function mostOutput(input: string): number {
  return Math.min(MAX_INPUT_BYTES, Math.max(LEAST_OUTPUT, input.length * 8))
}

function endedFor(reason: string): FunctionAnswer {
  return { stdout: '', stderr: reason, exitCode: undefined }
}

function tooLong({ seconds }: ProgramSettings): FunctionAnswer {
  return endedFor(`took longer than ${seconds} s and was ended; --function-timeout gives it longer`)
}

/** Returns the answer of a program that ended, but left a program behind that holds its output open: more may come. */
function heldOpen({ seconds }: ProgramSettings): FunctionAnswer {
  return endedFor(`ended, but a program that it started still held its output open after ${seconds} s; close stdout and stderr there`)
}

function tooMuch(input: string): FunctionAnswer {
  return endedFor(`printed more than ${mostOutput(input) / MEGABYTE} MB and was ended`)
}

function notStarted(error: NodeJS.ErrnoException): FunctionAnswer {
  return endedFor(`cannot be run: ${error.code === 'ENOENT' ? 'no such program' : error.message}`)
}

/** Runs a program and blocks until it ends. `detached` gives the program a process group, so that its children can be killed too. */
function callAndWait({ words: [program = '', ...args], end }: ProgramCall, input: string, settings: ProgramSettings): FunctionAnswer {
  const options = {
    input,
    cwd: settings.folder,
    env: { ...settings.environment },
    timeout: settings.seconds * 1000,
    killSignal: 'SIGKILL',
    maxBuffer: mostOutput(input),
    shell: false,
    detached: true,
  } as const
  const { pid, status, signal, stdout, stderr, error } = spawnSync(program, args, options)
  const code = errorCode(error)
  if (code === 'ETIMEDOUT' || code === 'ENOBUFS') {
    killGroup(pid)
    end?.()
    if (code === 'ENOBUFS') return tooMuch(input)
    return status === null ? tooLong(settings) : heldOpen(settings)
  }
  // A program that does not read its input closes the pipe; its exit code decides.
  if (error !== undefined && code !== 'EPIPE') return notStarted(error)
  if (status === null) return endedFor(`was ended by ${signal}`)
  return { stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8'), exitCode: status }
}

/** Runs a program and resolves when it ended. */
function call({ words: [program = '', ...args], end }: ProgramCall, input: string, settings: ProgramSettings): Promise<FunctionAnswer> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: settings.folder, env: { ...settings.environment }, detached: true })
    let refused: FunctionAnswer | undefined
    const stop = (): void => {
      killGroup(child.pid)
      end?.()
      // A program that left the group may hold the pipes open for ever.
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy()
    }
    const refuse = (answer: FunctionAnswer): void => {
      refused ??= answer
      stop()
    }
    running.add(stop)
    const isRunning = () => child.exitCode === null && child.signalCode === null
    const timer = setTimeout(() => refuse(isRunning() ? tooLong(settings) : heldOpen(settings)), settings.seconds * 1000)
    const output = outputOf(child, mostOutput(input), () => refuse(tooMuch(input)))
    const finish = (answer: FunctionAnswer): void => {
      clearTimeout(timer)
      running.delete(stop)
      resolve(answer)
    }
    child.on('error', (error) => finish(notStarted(error)))
    child.on('close', (status, signal) => {
      if (refused !== undefined) finish(refused)
      else if (status === null) finish(endedFor(`was ended by ${signal}`))
      else finish({ ...output(), exitCode: status })
    })
    // A program that does not read its input closes the pipe; its exit code decides.
    child.stdin.on('error', () => {}).end(input)
  })
}

type Child = ChildProcess & { readonly stdout: NodeJS.ReadableStream; readonly stderr: NodeJS.ReadableStream }

/** Collects the output of a child; returns a function that returns the output so far. Nothing above the limit is kept. */
function outputOf(child: Child, most: number, overflow: () => void): () => Pick<FunctionAnswer, 'stdout' | 'stderr'> {
  const collect = (stream: NodeJS.ReadableStream): (() => string) => {
    let chunks: Buffer[] = []
    let bytes = 0
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= most) chunks.push(chunk)
      else {
        chunks = []
        overflow()
      }
    })
    return () => Buffer.concat(chunks).toString('utf8')
  }
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  return () => ({ stdout: stdout(), stderr: stderr() })
}

/** Kills a program and every program of its process group. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined || pid === 0) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}
