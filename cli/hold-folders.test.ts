import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { lockFolder } from '../src/folder/folder-lock.ts'
import { type RecordedRun, recordRun } from '../testdata/cli/recorded-run.ts'
import { folderFor, promoteTo, textsIn, WRITERS } from '../testdata/cli/writing-commands.ts'
import { randomRuns } from '../testdata/random-runs.ts'

const real = { ...fs }
const WATCHED = [
  ...['existsSync', 'lstatSync', 'mkdirSync', 'openSync', 'readdirSync', 'readFileSync', 'readlinkSync', 'realpathSync', 'statSync'],
  ...['writeFileSync', 'chmodSync', 'rmdirSync'],
] as const

/**
 * Calls `act` before each call of node:fs on a place below a folder, with the number of the call. Left out are the calls that put a file or
 * folder in its place or remove it: between the last look at a file and the next call, no program can keep another from writing.
 */
function beforeEachCall(folder: string, act: (call: number, place: string, name: string) => void): void {
  let calls = 0
  for (const name of WATCHED) {
    const own: unknown = Reflect.get(real, name)
    if (typeof own !== 'function') continue
    const watched = (...args: readonly unknown[]): unknown => {
      if (typeof args[0] === 'string' && args[0].startsWith(folder)) act(calls++, args[0], name)
      return Reflect.apply(own, real, args)
    }
    Reflect.set(fs, name, Object.assign(watched, own))
  }
  syncBuiltinESMExports()
}

function unwatch(): void {
  for (const name of WATCHED) Reflect.set(fs, name, real[name])
  syncBuiltinESMExports()
}
afterEach(unwatch)

const MARK = '# of a person\n'

/** The ways in which editors save a file. */
const SAVES = {
  'in place': (place: string, text: string) => real.writeFileSync(place, text),
  'beside and renamed': (place: string, text: string) => {
    real.writeFileSync(`${place}~`, text)
    real.renameSync(`${place}~`, place)
  },
} as const

type Save = keyof typeof SAVES

/** Returns the text of a file; undefined if it is missing. */
function textOf(place: string): string | undefined {
  return real.existsSync(place) ? real.readFileSync(place, 'utf8') : undefined
}

/** Runs a command during which a person saves a file once: the file with a line more, or a new file. */
async function runWithSave(folder: string, args: readonly string[], { at, path, save }: { at: number; path: string; save: Save }) {
  const place = join(folder, path)
  let [saved, former]: (string | undefined)[] = []
  let wasRead = false
  beforeEachCall(folder, (call, used, name) => {
    if (call < at && used === place && /^(?:open|readFile)/.test(name)) wasRead = true
    if (call !== at) return
    real.mkdirSync(dirname(place), { recursive: true })
    former = textOf(place)
    saved = `${former ?? ''}${MARK}`
    SAVES[save](place, saved)
  })
  try {
    return { run: await recordRun(folder, args), saved, former, wasRead }
  } finally {
    unwatch()
  }
}

describe.each(WRITERS)(
  'what a person saves while a command runs is still there, and the command says that it did not write the file: $name',
  (writer) => {
    test('at any moment', { timeout: 120_000 }, async () => {
      const folder = await folderFor(writer)
      const before = textsIn(folder)
      let calls = 0
      beforeEachCall(folder, () => calls++)
      const clean = await recordRun(folder, writer.args).finally(unwatch)
      const after = textsIn(folder)
      // Nobody writes into the folder of the schemas, which is written without being read.
      const all = [...new Set([...before.keys(), ...after.keys()])].filter((path) => !path.startsWith('schemas/'))
      const changed = all.filter((path) => before.get(path) !== after.get(path))
      expect(changed, clean.stderr).not.toEqual([])
      const moment = fc.record({
        at: fc.nat(calls - 1),
        path: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...changed) }, fc.constantFrom(...before.keys())),
        save: fc.constantFrom<Save>('in place', 'beside and renamed'),
      })
      await fc.assert(
        fc.asyncProperty(moment, async (asked) => {
          const own = await folderFor(writer)
          const { run, saved, former, wasRead } = await runWithSave(own, writer.args, asked)
          if (saved === undefined) return
          const now = textOf(join(own, asked.path))
          // A file that the command removes may have been read with the line of the person.
          if (now !== undefined || wasRead) expect(now ?? run.stderr).toContain(MARK)
          const isUnwritten = former !== undefined && former === before.get(asked.path) && now === saved
          if (isUnwritten && changed.includes(asked.path)) expect(run.exitCode, run.stdout + run.stderr).toBe(1)
          expect([...textsIn(own).keys()].filter((path) => path.includes('.krm-variants-'))).toEqual([])
        }),
        { numRuns: randomRuns(4) },
      )
    })
  },
)

test('a file that a person saves between the reading and the writing is left, and named', async () => {
  const [writer] = WRITERS
  if (writer === undefined) throw new Error('no command')
  let calls = 0
  const clean = await folderFor(writer)
  beforeEachCall(clean, () => calls++)
  await recordRun(clean, writer.args).finally(unwatch)
  let refused: RecordedRun | undefined
  for (let at = calls - 1; refused === undefined && at > 0; at--) {
    const folder = await folderFor(writer)
    const { run, saved } = await runWithSave(folder, writer.args, { at, path: 'tills.yaml', save: 'in place' })
    if (run.exitCode === 1 && textOf(join(folder, 'tills.yaml')) === saved) refused = run
  }
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
  expect(refused?.stderr).toMatchInlineSnapshot(`
    "tills.yaml: error: was changed while the command ran, and is left as it is; nothing was written: run the command again [changed-meanwhile]
    "
  `)
})

test.each([
  { args: promoteTo('europe', '4'), dir: '.', inside: 'packages' },
  { args: ['init', 'shops'], dir: 'shops', inside: 'shops/catalog' },
])('two commands do not write one folder at the same time, nor one inside of it: $args.0', async ({ args, dir, inside }) => {
  const folder = await folderFor({ name: 'promote', from: 'testdata/cli/promote/input', args })
  const environment = { XDG_CACHE_HOME: join(folder, '.cache') }
  const lock = lockFolder({ locks: join(folder, '.cache/krm-variants/locks'), folder: join(folder, inside) })
  const before = textsIn(folder)
  const run = await recordRun(folder, args, { environment })
  expect(run).toMatchObject({ exitCode: 1, stdout: '' })
  expect(run.stderr).toBe(
    `krm-variants: another run, process ${process.pid}, is writing '${dir}', so nothing was changed: run again when it has ended\n`,
  )
  expect(textsIn(folder)).toEqual(before)
  lock.release()
  expect(await recordRun(folder, args, { environment })).toMatchObject({ exitCode: 0 })
})
