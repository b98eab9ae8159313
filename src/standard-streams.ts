import { errorCode } from './error-code.ts'
import { MAX_INPUT_BYTES } from './resource-list/limits.ts'
import { refuseSize } from './resource-list/utf8-text.ts'
import { WireError } from './resource-list/wire-error.ts'

const [STDIN, STDOUT, STDERR] = [0, 1, 2]

/** The highest number of bytes that a pipe holds in Linux. */
const PIPE = 64 * 1024

/** The number of characters that are written at once, so that a large output is not in memory twice. */
const PART = 1024 * 1024

/**
 * Returns Node's fs module. An import would also load Node's streams, which take a tenth of the time that a function adds to a start. The
 * streams are used only if a descriptor cannot be read with blocking reads.
 */
function fs() {
  return process.getBuiltinModule('node:fs')
}

/** Returns true if stdin is a terminal. */
export function stdinIsTerminal(): boolean {
  return fs().fstatSync(STDIN).isCharacterDevice() && process.stdin.isTTY
}

/**
 * Returns all bytes of stdin.
 *
 * @throws WireError  if stdin has too many bytes or cannot be read
 */
export async function readStdin(): Promise<Uint8Array> {
  try {
    const stdin = fs().fstatSync(STDIN)
    if (stdin.isFile() && stdin.size <= MAX_INPUT_BYTES) return fs().readFileSync(STDIN)
    if (stdin.isCharacterDevice()) return await joined([])
    const { bytes, ended } = readWaiting()
    return ended ? bytes : await joined([bytes])
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new WireError(`stdin cannot be read: ${error.message}`)
  }
}

/** Reads until the end of stdin, or until a non-blocking pipe has no bytes yet. */
function readWaiting(): { readonly bytes: Uint8Array; readonly ended: boolean } {
  let bytes = Buffer.allocUnsafe(PIPE)
  let length = 0
  try {
    for (;;) {
      const count = fs().readSync(STDIN, bytes, { offset: length })
      if (count === 0) return { bytes: bytes.subarray(0, length), ended: true }
      length += count
      refuseSize(length)
      if (length === bytes.length) bytes = Buffer.concat([bytes], 2 * length)
    }
  } catch (error) {
    if (!mustWait(error)) throw error
    return { bytes: bytes.subarray(0, length), ended: false }
  }
}

/** Returns the bytes that were read, followed by those of Node's stream. */
async function joined(parts: Uint8Array[]): Promise<Uint8Array> {
  let size = parts.reduce((sum, { length }) => sum + length, 0)
  const rest: AsyncIterable<Uint8Array> = process.stdin
  for await (const chunk of rest) {
    parts.push(chunk)
    size += chunk.length
    refuseSize(size)
  }
  return Buffer.concat(parts)
}

/**
 * Writes texts to stdout before it returns, so that later code cannot cut them. A reader that stops reading is no error; any other error
 * is reported on stderr and sets the exit code.
 */
export function writeStdout(texts: readonly string[]): void {
  write(STDOUT, texts, onOutputError)
}

/** Writes a text to stderr. Errors are ignored: no other place is left to report an error. */
export function writeStderr(text: string): void {
  write(STDERR, [text], () => {})
}

function onOutputError(error: unknown): void {
  if (errorCode(error) === 'EPIPE') return
  process.exitCode = 1
  writeStderr(`stdout cannot be written: ${error instanceof Error ? error.message : String(error)}\n`)
}

function write(descriptor: number, texts: readonly string[], onError: (error: unknown) => void): void {
  try {
    for (const bytes of encodedParts(texts)) writeWhole(descriptor, bytes)
  } catch (error) {
    onError(error)
  }
}

/** Milliseconds between two attempts to write to a full pipe. */
const PAUSE = 1

/** Writes all bytes. Writing to a full non-blocking pipe is repeated until the reader has made room. */
function writeWhole(descriptor: number, bytes: Uint8Array): void {
  let written = 0
  while (written < bytes.length) {
    try {
      written += fs().writeSync(descriptor, bytes, written)
    } catch (error) {
      if (!mustWait(error)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
    }
  }
}

/** The most bytes that a UTF-16 unit has in UTF-8. */
const MOST_BYTES = 3

/** Returns the bytes of all texts in parts of one buffer, each valid until the next is asked for. No part splits a surrogate pair. */
function* encodedParts(texts: readonly string[]): Generator<Uint8Array> {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  const buffer = Buffer.allocUnsafe(Math.min(length, PART) * MOST_BYTES)
  for (const text of inParts(texts)) yield buffer.subarray(0, buffer.write(text))
}

/** Returns the texts joined or cut to parts: a list may be one text of megabytes, or thousands of short ones. */
function* inParts(texts: readonly string[]): Generator<string> {
  let short = ''
  for (const text of texts) {
    if (short.length + text.length > PART) {
      yield short
      short = ''
    }
    let start = 0
    while (text.length - start > PART) {
      const end = start + PART - (isHighSurrogate(text.charCodeAt(start + PART - 1)) ? 1 : 0)
      yield text.slice(start, end)
      start = end
    }
    short += text.slice(start)
  }
  yield short
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

function mustWait(error: unknown): boolean {
  return errorCode(error) === 'EAGAIN'
}
