// To start a program, Node copies the page tables of its process first: 30 ms of the processor in a worker of the tests, which holds 500 MB,
// and 2 ms in a small process. So the workers of `npm test` let a small process start their programs: that process calls Node's own
// spawnSync, and the worker waits for the answer. This module is both: the setup of a worker, and the program of the small process.
import childProcess, { spawn } from 'node:child_process'
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

const IS_REPLACED = Symbol.for('krm-variants: a small process starts programs')
const own = childProcess.spawnSync

if (process.argv[1] === import.meta.filename) answerQuestions(process.argv[2], process.argv[3])
// Each file of tests loads this module again. On Windows no page tables are copied, and there is no mkfifo.
else if (isMainThread && process.platform !== 'win32' && !globalThis[IS_REPLACED]) {
  globalThis[IS_REPLACED] = true
  replaceFunctions(startParent())
}

/** Replaces the functions of Node that start a program and wait. */
function replaceFunctions(ask) {
  childProcess.spawnSync = (file, ...rest) => {
    const [args, options] = argumentsOf(rest)
    if (!hasOwnStreams(options)) return own(file, args, options)
    const { error, ...result } = ask([
      file,
      args,
      { ...options, cwd: options.cwd ?? process.cwd(), env: { ...(options.env ?? process.env) } },
    ])
    return error === undefined ? result : { ...result, error: Object.assign(new Error(error.message), error) }
  }
  // As Node does it.
  childProcess.execFileSync = (file, ...rest) => {
    const [args, options] = argumentsOf(rest)
    const result = childProcess.spawnSync(file, args, options)
    if (options.stdio === undefined && result.stderr) process.stderr.write(result.stderr)
    if (result.error === undefined && result.status === 0) return result.stdout
    throw Object.assign(result.error ?? new Error(`Command failed: ${[file, ...args].join(' ')}\n${result.stderr}`), result)
  }
  syncBuiltinESMExports()
}

function argumentsOf([first, second]) {
  return Array.isArray(first) ? [first, second ?? {}] : [[], first ?? {}]
}

/** Returns false for options with which a program would use streams of this process. */
function hasOwnStreams({ stdio = 'pipe' }) {
  return [stdio].flat().every((stream) => stream === 'pipe' || stream === 'ignore')
}

/** Starts the small process. Returns the function that asks it and waits for the answer. */
function startParent() {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-parent-'))
  const pipes = [join(folder, 'questions'), join(folder, 'answers')]
  childProcess.execFileSync('mkfifo', pipes)
  // The end of the worker closes the pipes, which ends the small process.
  spawn(process.execPath, [import.meta.filename, ...pipes], { stdio: ['ignore', 'ignore', 'inherit'] }).unref()
  const [questions, answers] = [openSync(pipes[0], 'w'), openSync(pipes[1], 'r')]
  rmSync(folder, { recursive: true })
  return (question) => {
    send(questions, question)
    return receive(answers)
  }
}

/** Starts the programs that the worker asks for, until the worker ends. */
function answerQuestions(questions, answers) {
  const [from, to] = [openSync(questions, 'r'), openSync(answers, 'w')]
  for (let question = receive(from); question !== undefined; question = receive(from)) {
    const { error, ...result } = own(...question)
    send(to, error === undefined ? result : { ...result, error: { ...error, message: error.message } })
  }
}

function send(pipe, message) {
  const body = serialize(message)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  const bytes = Buffer.concat([size, body])
  for (let at = 0; at < bytes.length; ) at += writeSync(pipe, bytes, at)
}

/** Returns the next message; undefined when the other process ended. */
function receive(pipe) {
  const size = readBytes(pipe, 4)
  return size === undefined ? undefined : deserialize(readBytes(pipe, size.readUInt32LE()))
}

function readBytes(pipe, length) {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; ) {
    const read = readSync(pipe, bytes, at, length - at, null)
    if (read === 0) return undefined
    at += read
  }
  return bytes
}
