import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { build } from 'esbuild'
import { load } from 'js-yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { impatientPipe } from '../impatient-pipe.ts'
import { EDITED, type Ending, HOSTILE_FUNCTIONS, INPUT } from './hostile-functions.ts'

// Below node_modules, so that the packages which are left out of the bundle are found from there.
const cache = join(import.meta.dirname, '../../node_modules/.cache')
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'hostile-functions-'))
let scripts = 0
const IMPORTS = `import { FunctionError, main } from './sdk.mjs'\nconst edit = (list) => list.items[0].set(['data', 'team'], 'new')\n`

beforeAll(async () => {
  const outfile = join(folder, 'sdk.mjs')
  const entry = join(import.meta.dirname, '../../sdk/sdk.ts')
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Run {
  readonly stdout: string
  readonly stderr: string
  /** The exit code, or the signal that ended the process. */
  readonly exit: number | string
}

/** Runs a function in a process of its own. */
async function run(code: string): Promise<Run> {
  const child = spawn(process.execPath, [script(code)], { stdio: ['pipe', 'pipe', 'pipe'], timeout: 60_000 })
  // A function may end before it has read all of its input.
  child.stdin.on('error', () => {})
  child.stdin.end(INPUT)
  const [stdout, stderr, [status, signal]] = await Promise.all([buffer(child.stdout), buffer(child.stderr), once(child, 'close')])
  return { stdout: stdout.toString(), stderr: stderr.toString(), exit: status ?? signal }
}

function script(code: string): string {
  const path = join(folder, `function-${scripts++}.mjs`)
  writeFileSync(path, IMPORTS + code)
  return path
}

function endingOf(stdout: string): Ending | 'cut' {
  if (stdout === '') return 'empty'
  if (stdout === INPUT) return 'input'
  if (stdout === EDITED) return 'edited'
  const list: unknown = load(stdout)
  return list instanceof Object && 'results' in list && 'items' in list && Array.isArray(list.items) && list.items.length === 1
    ? 'results'
    : 'cut'
}

test.each(HOSTILE_FUNCTIONS)('a function that $what', async ({ code, stdout, exit, says = '' }) => {
  const ended = await run(code)
  expect({ stdout: endingOf(ended.stdout), exit: ended.exit, stderr: ended.stderr.slice(0, 2000) }).toEqual({
    stdout,
    exit,
    stderr: expect.stringContaining(says),
  })
})

const LARGE = `${INPUT}${Array.from({ length: 30_000 }, (_, n) => `- kind: ConfigMap\n  metadata: {name: a-${n}}\n  data: {text: ${'x'.repeat(60)}}\n`).join('')}`

test('a function that ends the process in a timer after it has returned: a slow reader gets all of the output', async () => {
  const { reader, writer } = impatientPipe()
  const path = script('await main((list) => { edit(list); setTimeout(() => process.exit(0), 1) })')
  writeFileSync(join(folder, 'large.yaml'), LARGE)
  const command = `${process.execPath} ${path} <${join(folder, 'large.yaml')} >&3`
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'inherit', 'inherit', writer] })
  closeSync(writer)
  const ended = once(child, 'close')
  await setTimeout(1000)
  const stdout = await buffer(new Socket({ fd: reader, writable: false }))
  expect(await ended).toEqual([0, null])
  expect(stdout.toString() === LARGE.replace('team: old', 'team: new')).toBe(true)
})
