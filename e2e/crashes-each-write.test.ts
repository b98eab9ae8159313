import { spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { LEFTOVER } from './interruption.ts'
import { bundlePath, ROOT } from './run-program.ts'

/** Milliseconds of the clock for some 200 runs, on a machine that does other things as well. */
const MOST_TIME = 600_000

/** A fleet in which one run of render creates, updates, moves, removes and orphans a package, and leaves one alone. */
let place = ''
/** The packages before the run and after a run without a fault: of each file its permissions and bytes, of each folder nothing. */
let old = new Map<string, string>()
let made = new Map<string, string>()
/** The writes of a run, in their order. */
let writes: readonly string[] = []

beforeAll(async () => {
  place = mkdtempSync(join(realpathSync(tmpdir()), 'each-write-'))
  for (const revision of [1, 2]) writeUpstream(revision)
  writeVariants(
    ['kept', 'updated', 'moved', 'removed', 'orphaned'].map((name) => variant(name, { policy: name === 'orphaned' ? 'orphan' : 'delete' })),
  )
  await render(join(place, 'old'))
  for (const name of ['updated', 'moved']) {
    const path = join(place, 'old/edge', name, 'one.yaml')
    writeFileSync(path, readFileSync(path, 'utf8').replace('b: of upstream', 'b: of people # and why'))
  }
  for (const name of ['updated', 'moved', 'orphaned']) appendFileSync(join(place, 'old/edge', name, 'NOTES.md'), 'Of people.\n')
  writeVariants([
    variant('kept'),
    variant('updated', { revision: 2 }),
    variant('moved', { revision: 2, folder: 'renamed' }),
    variant('created', { revision: 2 }),
  ])
  cpSync(join(place, 'old'), join(place, 'new'), { recursive: true })
  const { exitCode } = await render(join(place, 'new'), { FAULT_LOG: join(place, 'writes.txt') })
  expect(exitCode).toBe(0)
  writes = readFileSync(join(place, 'writes.txt'), 'utf8').trimEnd().split('\n')
  old = readTree(join(place, 'old'))
  made = readTree(join(place, 'new'))
  return () => rmSync(place, { recursive: true })
})

function writeUpstream(revision: number): void {
  const folder = join(place, `fleet/catalog/app@v${revision}`)
  const config = (name: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  a: v${revision}\n  b: of upstream\n`
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'Kptfile'), 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: app\n')
  for (const name of ['one', revision === 1 ? 'two' : 'three']) writeFileSync(join(folder, `${name}.yaml`), config(name))
  writeFileSync(join(folder, 'run.sh'), `echo ${revision}\n`, { mode: 0o755 })
}

function variant(name: string, { folder = name, revision = 1, policy = 'delete' } = {}): string {
  return `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: ${name}
  namespace: fleet
spec:
  deletionPolicy: ${policy}
  upstream: {repo: catalog, package: app, revision: ${revision}}
  downstream: {repo: edge, package: ${folder}}
`
}

function writeVariants(variants: readonly string[]): void {
  writeFileSync(join(place, 'fleet/variants.yaml'), variants.join('---\n'))
}

interface Ended {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stderr: string
}

/** Runs render with a fault, or with none. */
async function render(out: string, fault: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const args = ['--import', `${ROOT}e2e/faulty-writes.mjs`, bundlePath('krm-variants'), 'render', join(place, 'fleet'), '--out', out]
  const env = { ...process.env, FAULT_ROOT: out, ...fault }
  const child = spawn(process.execPath, [...args, '--follow-renames'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const closed = new Promise<Omit<Ended, 'stderr'>>((resolve) => child.on('close', (exitCode, signal) => resolve({ exitCode, signal })))
  return { stderr: await text(child.stderr), ...(await closed) }
}

function readTree(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    entries
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [
        path.slice(folder.length + 1),
        lstatSync(path).isDirectory() ? '' : `${lstatSync(path).mode} ${readFileSync(path, 'latin1')}`,
      ]),
  )
}

function sameTree(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([path, entry]) => b.get(path) === entry)
}

/** Where a file of before is after the run. */
function movedPath(path: string): string {
  return path.replace(/^edge\/moved(?=\/|$)/, 'edge/renamed')
}

/** Files that are neither what they were nor what they become, and files that are gone and do not have to go. */
function damaged(out: string): readonly string[] {
  const now = readTree(out)
  const torn = [...now].filter(([path, is]) => ![old.get(path), made.get(path), made.get(movedPath(path))].includes(is))
  const gone = [...old.keys()].filter((path) => made.has(movedPath(path)) && !now.has(path) && !now.has(movedPath(path)))
  return [...torn.map(([path]) => path).filter((path) => !path.includes(LEFTOVER)), ...gone]
}

/** Returns what is wrong after a fault at a write, and after the next run. */
async function faultsOf(at: number, kind: string): Promise<readonly string[]> {
  const out = join(place, `${kind}-${at}`)
  cpSync(join(place, 'old'), out, { recursive: true })
  const { exitCode, signal, stderr } = await render(out, { FAULT_AT: String(at), FAULT_KIND: kind })
  const isKilled = kind === 'before' || kind === 'within'
  const [torn, left] = [damaged(out), [...readTree(out).keys()].filter((path) => path.includes(LEFTOVER))]
  // A run on what was there before is known.
  const isAsBefore = sameTree(readTree(out), old)
  const again = isAsBefore ? { exitCode: 0, stderr: '' } : await render(out)
  const after = isAsBefore ? made : readTree(out)
  const different = [...new Set([...after.keys(), ...made.keys()])].filter((path) => after.get(path) !== made.get(path))
  rmSync(out, { recursive: true })
  return [
    ...(isKilled && signal !== 'SIGKILL' ? ['the process was not killed'] : []),
    ...(!isKilled && !(exitCode === 1 && stderr.includes(kind)) ? [`exit code ${exitCode}: ${stderr}`] : []),
    ...(!isKilled && /\n {4}at /.test(stderr) ? [`a stack trace: ${stderr}`] : []),
    ...(!isKilled && left.length > 0 ? [`left: ${left.join()}`] : []),
    ...(torn.length > 0 ? [`damaged: ${torn.join()}`] : []),
    ...(again.exitCode === 0 ? [] : [`the next run ends with ${again.exitCode}: ${again.stderr}`]),
    ...(different.length > 0 ? [`after the next run ${different.join()} differ`] : []),
  ].map((fault) => `${kind} at ${at}, ${writes[at]?.replaceAll(`${place}/`, '')}: ${fault}`)
}

async function faultsOfAll(kinds: readonly string[]): Promise<readonly string[]> {
  const faults = writes.flatMap((write, at) => kinds.map((kind) => ({ at, kind, write })))
  const left = faults.filter(({ kind, write }) => kind !== 'within' || /^(?:writeFile|rm)Sync/.test(write))
  const found: string[] = []
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) found.push(...(await faultsOf(next.at, next.kind)))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return found.sort()
}

test('a run writes, changes modes, renames and removes', () => {
  const names = new Set(writes.map((line) => line.split(' ')[0]))
  expect([...names].sort()).toEqual(expect.arrayContaining(['chmodSync', 'mkdirSync', 'renameSync', 'rmSync', 'writeFileSync']))
  expect([...made.keys()]).toEqual(expect.arrayContaining(['edge/created', 'edge/renamed/NOTES.md', 'edge/orphaned/NOTES.md']))
  expect([...made.keys()].filter((path) => /^edge\/(?:moved|removed)/.test(path))).toEqual([])
  expect(made.get('edge/renamed/one.yaml')).toContain('b: of people # and why')
})

test(
  'killed before each write and within it, render leaves every file of people whole, and the next run makes the rest',
  async () => {
    expect(await faultsOfAll(['before', 'within'])).toEqual([])
  },
  MOST_TIME,
)

test(
  'refused at each write, render leaves every file of people whole and nothing beside them, and the next run makes the rest',
  async () => {
    expect(await faultsOfAll(['ENOSPC', 'EIO', 'EACCES'])).toEqual([])
  },
  MOST_TIME,
)
