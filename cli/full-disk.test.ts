import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { type RecordedRun, recordRun } from '../testdata/cli/recorded-run.ts'
import { folderFor, textsIn, WRITERS, type Writer } from '../testdata/cli/writing-commands.ts'

/** Runs for each command: the disk becomes full at so many of its writes. */
const MOST_MOMENTS = Number(process.env.DISK_MOMENTS ?? 3)

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const NEXT_REVISION = ['import', '--manifest', 'web.yaml', '--as', 'catalog/web']
const CONVERT = ['convert', 'applicationset', 'input/set.yaml', '--repo', 'input', '--out', 'made']

/** Converts a tree and changes it, so that the next conversion changes the fleet. */
async function convertAndChange(folder: string): Promise<void> {
  await recordRun(folder, CONVERT)
  for (const path of textsIn(join(folder, 'input/apps')).keys()) real.appendFileSync(join(folder, 'input/apps', path), 'immutable: true\n')
}

const COMMANDS: readonly Writer[] = [
  ...WRITERS,
  { name: 'render of new packages', from: 'testdata/cli/outdated/input', args: ['render', '.', '--out', 'made'] },
  { name: 'check --unsafe-fixes', from: 'testdata/cli/check/input', args: ['check', '--unsafe-fixes', '.'] },
  { name: 'resolve --into', from: 'testdata/cli/resolve-diff/input', args: ['resolve', '--into', 'dependencies', '.'] },
  { name: 'import', from: 'testdata/cli/import-plain-package/input', args: ['import', '--manifest', 'web.yaml', '--as', 'catalog/app'] },
  { name: 'import of the next revision', from: 'testdata/cli/import-next/input', args: NEXT_REVISION },
  { name: 'convert', from: 'testdata/cli/convert-set-proved', args: CONVERT },
  { name: 'convert again', from: 'testdata/cli/convert-set-proved', args: CONVERT, before: convertAndChange },
  { name: 'init', from: 'testdata/cli/import-next/input', args: ['init', 'shops', '--sync', 'flux', '--ci', 'github'] },
]

const real = { ...fs }
/** The calls of node:fs that need space. */
const NEED_SPACE = [
  'appendFileSync',
  'copyFileSync',
  'cpSync',
  'mkdirSync',
  'mkdtempSync',
  'renameSync',
  'symlinkSync',
  'writeFileSync',
] as const

/** The number of the write that fails, from 0. All writes after it fail too, or none does, as when another program frees some space. */
interface Fault {
  readonly at: number
  readonly isOnce: boolean
}

/** Makes the disk of a folder full at one of the writes. Returns the number of writes that were tried. */
function fillDisk(folder: string, { at, isOnce }: Fault): () => number {
  let writes = 0
  for (const name of NEED_SPACE) {
    const own: unknown = Reflect.get(real, name)
    if (typeof own !== 'function') continue
    const refused = (...args: readonly unknown[]): unknown => {
      const isBelow = args.slice(0, 2).some((place) => typeof place === 'string' && place.startsWith(folder))
      const [place, content] = args
      if (!isBelow || (name === 'mkdirSync' && real.existsSync(String(place)))) return Reflect.apply(own, real, args)
      const write = writes++
      if (write < at || (isOnce && write > at)) return Reflect.apply(own, real, args)
      // A full disk takes a part of a file.
      if (name === 'writeFileSync') Reflect.apply(own, real, [place, String(content).slice(0, 20), ...args.slice(2)])
      throw noSpace(name, String(place))
    }
    Reflect.set(fs, name, Object.assign(refused, own))
  }
  syncBuiltinESMExports()
  return () => writes
}

/** Returns the error of node:fs. An open file whose content finds no space is not named. */
function noSpace(name: string, path: string): Error {
  const isOpen = name === 'writeFileSync' || name === 'appendFileSync'
  const syscall = isOpen ? 'write' : name.replace('Sync', '').toLowerCase()
  const named = isOpen ? {} : { path }
  return Object.assign(new Error(`ENOSPC: no space left on device, ${syscall}${isOpen ? '' : ` '${path}'`}`), {
    code: 'ENOSPC',
    errno: -28,
    syscall,
    ...named,
  })
}

function freeDisk(): void {
  for (const name of NEED_SPACE) Reflect.set(fs, name, real[name])
  syncBuiltinESMExports()
}
afterEach(freeDisk)

/** Runs a command on a disk that becomes full at a write. */
async function runOnDisk(folder: string, args: readonly string[], fault: Fault = { at: Number.POSITIVE_INFINITY, isOnce: true }) {
  vi.stubEnv('TMPDIR', join(folder, '.tmp'))
  real.mkdirSync(join(folder, '.tmp'), { recursive: true })
  const writes = fillDisk(folder, fault)
  const run: RecordedRun = await recordRun(folder, args, { environment: { XDG_CACHE_HOME: join(folder, '.cache') } }).finally(freeDisk)
  vi.unstubAllEnvs()
  return { run, writes: writes() }
}

/** Returns the files of people, without those of caches. */
function filesOf(folder: string): ReadonlyMap<string, string> {
  return new Map([...textsIn(folder)].filter(([path]) => !path.startsWith('.cache/')))
}

function isSame(some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): boolean {
  return some.size === others.size && [...some].every(([path, text]) => others.get(path) === text)
}

/** Returns faults at some of the writes, spread evenly. */
function spread(writes: number): readonly Fault[] {
  const some = Math.min(writes, MOST_MOMENTS)
  const moments = Array.from({ length: some }, (_, index) => Math.floor((index * writes) / some))
  return moments.flatMap((at) => [
    { at, isOnce: false },
    { at, isOnce: true },
  ])
}

interface Runs {
  readonly writer: Writer
  /** The files before the command, and after a run with enough space. */
  readonly old: ReadonlyMap<string, string>
  readonly made: ReadonlyMap<string, string>
  readonly whole: RecordedRun
}

/** Returns what is wrong after a run that meets with a fault, and after the next run. */
async function wrongAfter(fault: Fault, { writer, old, made, whole }: Runs): Promise<readonly string[]> {
  const folder = await folderFor(writer)
  const { run } = await runOnDisk(folder, writer.args, fault)
  const now = filesOf(folder)
  // A cache that cannot be written is no error.
  if (run.exitCode === whole.exitCode && run.both === whole.both && isSame(now, made)) return []
  const torn = [...now].flatMap(([path, text]) => (text === old.get(path) || text === made.get(path) ? [] : [path]))
  const gone = [...old.keys()].filter((path) => !now.has(path) && made.has(path))
  const left = real.readdirSync(folder, { recursive: true }).filter((path) => /\.krm-variants-|^\.tmp\/./.test(String(path)))
  const again = isSame(now, old) ? { exitCode: whole.exitCode, both: '' } : (await runOnDisk(folder, writer.args)).run
  const isMade = isSame(now, old) || isSame(filesOf(folder), made)
  return [
    ...(run.exitCode === 1 ? [] : [`ends with ${run.exitCode}`]),
    ...(/cannot write (?:to the folder ')?[\w@./-]+'?: no space left|^[\w@./-]+: error: cannot be written: no space left/m.test(run.stderr)
      ? []
      : ['names no file and reason']),
    ...(run.both.includes(folder) || /\n\s+at |\.made\./.test(run.both) ? ['has a trace or a temporary name'] : []),
    ...(torn.length > 0 ? [`half written: ${torn.join(', ')}`] : []),
    ...(gone.length > 0 ? [`gone: ${gone.join(', ')}`] : []),
    ...(left.length > 0 ? [`left: ${left.join(', ')}`] : []),
    ...(again.exitCode === whole.exitCode && isMade ? [] : [`the next run ends with ${again.exitCode}: ${again.both}`]),
  ].map((what) => `write ${fault.at}${fault.isOnce ? ' only' : ''}: ${what}\n${run.both}`)
}

test.each(COMMANDS)(
  '$name on a disk that becomes full ends with 1, names a file, leaves every file whole, and the next run makes the rest',
  { timeout: 180_000 },
  async (writer) => {
    const clean = await folderFor(writer)
    const old = filesOf(clean)
    const { run: whole, writes } = await runOnDisk(clean, writer.args)
    const made = filesOf(clean)
    expect(made, whole.both).not.toEqual(old)
    const wrong: string[] = []
    for (const fault of spread(writes)) wrong.push(...(await wrongAfter(fault, { writer, old, made, whole })))
    expect(wrong).toEqual([])
  },
)

test('run writes the other packages if the disk refuses one, and names the one', async () => {
  const from = 'testdata/cli/run-catalog-function/input/shop'
  const folder = await folderFor({ name: 'run', from, args: [] })
  const said: string[] = []
  // The first writes are those of the lock in the cache.
  for (let at = 0; at < 8; at++) {
    for (const name of ['one', 'two']) real.cpSync(join(ROOT, from), join(folder, name), { recursive: true })
    const { run } = await runOnDisk(folder, ['run', 'one', 'two'], { at, isOnce: true })
    if (run.exitCode === 1) said.push(run.both)
  }
  const rest = (one: string, two: string) =>
    `${one}/a.yaml: error: cannot be written: no space left on device; the package is left as it is [file-unwritable]\n~ ${two}/a.yaml\n` +
    'Run: 2 functions in 2 packages: 1 file updated; 1 package failed\n'
  // Of each package the file beside its place may be refused, and the rename.
  const [one, two] = [expect.stringContaining(rest('one', 'two')), expect.stringContaining(rest('two', 'one'))]
  expect(said).toEqual([one, one, two, two])
})

test('a status that the disk refuses is no reason to say that no package was written', async () => {
  const said: string[] = []
  const writer: Writer = { name: 'render', from: 'testdata/cli/outdated/input', args: ['render', '.', '--out', 'made', '--status'] }
  const { writes } = await runOnDisk(await folderFor(writer), writer.args)
  for (let at = writes - 1; at >= 0 && said.length === 0; at--) {
    const { run } = await runOnDisk(await folderFor(writer), writer.args, { at, isOnce: true })
    if (run.exitCode === 1) said.push(run.stdout, run.stderr.split('\n').at(-2) ?? '')
  }
  expect(said).toEqual([
    '5 packages: 5 created\n',
    'krm-variants: cannot write sets.yaml: no space left on device; part of the changes is made, and every file whole; the next run makes the rest',
  ])
})
