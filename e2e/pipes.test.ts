import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { impatientPipe } from '../testdata/impatient-pipe.ts'
import { bundlePath, runProgram } from './run-program.ts'

const CHECK_DEPENDENCIES = bundlePath('check-dependencies')
const HEAD = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'

/** An untouched list of about `bytes` bytes: ConfigMaps of one kilobyte. */
function listOf(bytes: number): string {
  const items = Array.from({ length: bytes / 1000 }, (_, i) => {
    const name = `settings-${i}`
    return `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: ${name}\n  data:\n    text: ${'x'.repeat(920 - name.length)}\n`
  })
  return HEAD + items.join('')
}

test('30 MB pass through without a changed byte', async () => {
  const input = listOf(30_000_000)
  const { stdout, stderr, exitCode } = await runProgram(CHECK_DEPENDENCIES, [], input)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout.equals(Buffer.from(input))).toBe(true)
})

test.each(['', 'x'])('no character is cut where the output is written in parts, with %j before', async (before) => {
  const input = `${HEAD}- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: faces\n  data:\n    text: ${before}${'\u{1f600}'.repeat(1_500_000)}\n`
  const { stdout, exitCode } = await runProgram(CHECK_DEPENDENCIES, [], input)
  expect(exitCode).toBe(0)
  expect(stdout.equals(Buffer.from(input))).toBe(true)
})

test('a reader that closes the pipe early gets no stack and no hang', async () => {
  const child = spawn(CHECK_DEPENDENCIES, [], { stdio: ['pipe', 'pipe', 'pipe'] })
  const stderr: string[] = []
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => stderr.push(chunk))
  child.stdout.once('data', () => child.stdout.destroy())
  child.stdin.end(listOf(5_000_000))
  const [exitCode] = await once(child, 'close')
  expect({ exitCode, stderr: stderr.join('') }).toEqual({ exitCode: 0, stderr: '' })
})

test('stdin that comes in small pieces, cut within characters, is one text', async () => {
  const input = Buffer.from(`${HEAD}- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a # größer 😀\n`)
  const child = spawn(CHECK_DEPENDENCIES, [], { stdio: ['pipe', 'pipe', 'inherit'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  for (const byte of input) child.stdin.write(Buffer.of(byte))
  child.stdin.end()
  await once(child, 'close')
  expect(Buffer.concat(chunks).equals(input)).toBe(true)
})

test('pipes that do not wait, for what is not there yet or for a slow reader, lose nothing', async () => {
  const input = listOf(3_000_000)
  const [stdin, stdout] = [impatientPipe(), impatientPipe()]
  // Node would have the child's own first three wait.
  const child = spawn('sh', ['-c', `${CHECK_DEPENDENCIES} <&3 >&4`], {
    stdio: ['ignore', 'inherit', 'inherit', stdin.reader, stdout.writer],
  })
  for (const descriptor of [stdin.reader, stdout.writer]) closeSync(descriptor)
  await setTimeout(300)
  new Socket({ fd: stdin.writer, readable: false }).end(input)
  const exit = once(child, 'close')
  await setTimeout(1000)
  expect((await buffer(new Socket({ fd: stdout.reader, writable: false }))).equals(Buffer.from(input))).toBe(true)
  expect(await exit).toEqual([0, null])
})
