import { afterEach, expect, test, vi } from 'vitest'
import { MAX_INPUT_BYTES } from './resource-list/limits.ts'
import { readStdin, writeStderr, writeStdout } from './standard-streams.ts'

/** The bytes that are read at first. */
const PIPE = 64 * 1024

/** The kinds of files that stdin may be, and what reads and writes of a descriptor do. */
interface Descriptors {
  readonly isFile?: boolean
  readonly size?: number
  readonly reads?: readonly (string | Error)[]
  /** The most bytes that a write takes, or its failure. */
  readonly writes?: readonly (number | Error)[]
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: failed`), { code })
}

/** Puts descriptors in the place of those of the process. Returns what is written, by descriptor. */
function withDescriptors({ isFile = false, size = 0, reads = [], writes = [] }: Descriptors) {
  const written: Record<number, string> = { 1: '', 2: '' }
  const [toRead, toWrite] = [[...reads], [...writes]]
  let calls = 0
  const fs = {
    fstatSync: () => ({ isFile: () => isFile, isCharacterDevice: () => false, size }),
    readFileSync: () => Buffer.from('whole file'),
    readSync: (_: number, bytes: Buffer, { offset }: { readonly offset: number }) => {
      const next = toRead.shift() ?? ''
      if (typeof next !== 'string') throw next
      return bytes.write(next, offset)
    },
    writeSync: (descriptor: number, bytes: Uint8Array, from: number) => {
      calls++
      const next = toWrite.shift() ?? bytes.length
      if (typeof next !== 'number') throw next
      const part = bytes.subarray(from, from + next)
      written[descriptor] += Buffer.from(part).toString('latin1')
      return part.length
    },
  }
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(fs)
  return { text: (descriptor: 1 | 2) => Buffer.from(written[descriptor] ?? '', 'latin1').toString('utf8'), calls: () => calls }
}

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

test('a file is read at once, a pipe until its end', async () => {
  withDescriptors({ isFile: true, size: MAX_INPUT_BYTES })
  expect(Buffer.from(await readStdin()).toString()).toBe('whole file')
  withDescriptors({ reads: ['one ', 'two ', 'three'] })
  expect(Buffer.from(await readStdin()).toString()).toBe('one two three')
})

test('a file that is too large is read as a pipe, which refuses it by its bytes', async () => {
  withDescriptors({ isFile: true, size: MAX_INPUT_BYTES + 1, reads: ['part'] })
  expect(Buffer.from(await readStdin()).toString()).toBe('part')
})

test('a pipe may have more bytes than are read at once', async () => {
  const part = 'x'.repeat(PIPE)
  withDescriptors({ reads: [part, part, part, 'end'] })
  expect(Buffer.from(await readStdin()).toString()).toBe(`${part}${part}${part}end`)
})

test('an error of reading is a fault of the input', async () => {
  withDescriptors({ reads: [failure('EISDIR')] })
  await expect(readStdin()).rejects.toThrow('stdin cannot be read: EISDIR: failed')
})

test('an error without a code is a bug and thrown as it is', async () => {
  withDescriptors({ reads: [new RangeError('bug')] })
  await expect(readStdin()).rejects.toThrow(RangeError)
})

test('texts are written in their order, each to its stream', () => {
  const { text } = withDescriptors({})
  writeStdout(['a', 'é', '', '\u{1f600}'])
  writeStderr('error')
  expect([text(1), text(2)]).toEqual(['aé\u{1f600}', 'error'])
})

test('short texts are written together', () => {
  const { calls } = withDescriptors({})
  writeStdout(Array.from({ length: 1000 }, () => 'x'))
  expect(calls()).toBe(1)
})

test('a write that takes a part, or that must wait for its reader, is continued', () => {
  const { text } = withDescriptors({ writes: [2, failure('EAGAIN'), 1] })
  writeStdout(['abcdef'])
  expect(text(1)).toBe('abcdef')
})

const PART = 1024 * 1024

test.each([PART - 1, PART, PART + 1, 2 * PART - 1, 2 * PART + 1])(
  'no character is split by a part of the output: %i letters before it',
  (length) => {
    const { text } = withDescriptors({})
    const long = `${'x'.repeat(length)}\u{1f600}end`
    writeStdout([long, 'y'])
    expect(text(1) === `${long}y`).toBe(true)
  },
)

test('a reader that stops reading is no error', () => {
  const { text } = withDescriptors({ writes: [failure('EPIPE')] })
  writeStdout(['a'])
  expect([text(2), process.exitCode]).toEqual(['', undefined])
})

test('any other error of stdout is reported and sets the exit code', () => {
  const { text } = withDescriptors({ writes: [failure('ENOSPC')] })
  writeStdout(['a'])
  expect([text(2), process.exitCode]).toEqual(['stdout cannot be written: ENOSPC: failed\n', 1])
})

test('an error of stderr has no place to be reported', () => {
  const { text } = withDescriptors({ writes: [failure('ENOSPC')] })
  writeStderr('a')
  expect([text(2), process.exitCode]).toEqual(['', undefined])
})
