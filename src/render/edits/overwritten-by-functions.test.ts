import { expect, test } from 'vitest'
import { packageOfTexts } from '../../../testdata/package-of-texts.ts'
import { objectsIn } from '../../merge/package-files.ts'
import { answered, known } from '../../pipeline/calls.ts'
import { functionsIn, type PipelineStep } from '../../pipeline/pipeline-steps.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import type { Result } from '../../result.ts'
import { type FunctionRun, objectAt, type RenderedFiles } from '../clone/rendered-package.ts'
import type { AskedField } from '../runs/watched-runners.ts'
import { overwrittenByFunctions } from './overwritten-by-functions.ts'

/** The texts of a file in an update. */
interface Update {
  /** The file as the last render left it. */
  readonly base: string
  /** The file in the old upstream revision before its functions ran; unset for a file that functions made. */
  readonly source?: string
  /** The file as people left it. */
  readonly ours: string
  /** The file after the merge; unset if the merge changed nothing. */
  readonly merged?: string
  /** The file after the functions of the updated package ran; undefined if they left it as it was. */
  readonly after: string | undefined
  /** The text that the functions write into people's file with the fields of the last render; unset if they change nothing there. */
  readonly again?: string
  readonly outcome?: FunctionRun['outcome']
  /** The field of an edit that upstream's change replaced, and that functions write anyway. */
  readonly replaced?: readonly string[]
  readonly writer?: PipelineStep
}

const PATH = 'a.yaml'
const filesOf = (text: string | undefined) => packageOfTexts(text === undefined ? {} : { [PATH]: text })

function runOf(text: string | undefined, outcome: FunctionRun['outcome'] = 'done'): FunctionRun {
  return { outcome, changed: new Map(text === undefined ? [] : [[PATH, Buffer.from(text)]]), ran: ['f'], results: [] }
}

interface Found {
  readonly results: readonly Result[]
  /** The text of the first object on which the functions ran once more; undefined if they did not run. */
  readonly ranOn: string | undefined
  readonly asked: readonly AskedField[]
}

/** Returns the warnings of an update, and what was asked of the functions for them. */
function overwritten({ base, ours, merged, after, again, source, outcome, replaced, writer }: Update): Found {
  let ranOn: string | undefined
  const asked: AskedField[] = []
  const downstream = filesOf(ours)
  const sources = objectsIn(downstream.get(PATH))
  const objects = merged === undefined ? sources : objectsIn(filesOf(merged).get(PATH))
  const files: RenderedFiles = new Map([
    [PATH, sources.map((one, at) => ({ from: 'ours' as const, source: one, object: objects[at] ?? one }))],
  ])
  const result: Result = { severity: 'warning', message: 'lost', tags: { rule: 'edit-lost' } }
  const written = replaced === undefined ? [] : [{ path: PATH, index: 0, field: replaced, value: 'mine', result }]
  const calls = overwrittenByFunctions(
    {
      files,
      downstream,
      base: filesOf(base),
      source: filesOf(source),
      results: [],
      outcomes: [],
      run: runOf(after),
      again: (reset) => {
        ranOn = objectAt(reset, PATH)?.toText()
        return known(runOf(again, outcome))
      },
      writersOf: (_, fields) => {
        asked.push(...fields)
        return known(fields.map(() => writer))
      },
    },
    written,
  )
  return { results: answered(calls), ranOn, asked }
}

const config = (data: string, name = 'a') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata:\n${data}`
const messages = (update: Update) => overwritten(update).results.map(({ message }) => message)

/** Returns a function of a Kptfile. */
function step(written: string): PipelineStep {
  const text = `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: a}\npipeline:\n  mutators:\n  - ${written}\n`
  const [first] = functionsIn(KrmObject.fromDocument(text, { path: 'Kptfile', index: 0, line: 1 }))
  if (first === undefined) throw new Error('one function')
  return first
}

const [INFO, DEBUG] = [config('  level: info\n'), config('  level: debug\n')]
/** People edit the value of a function, and the function writes its value again. */
const EDIT: Update = { base: INFO, source: config('  level: none\n'), ours: DEBUG, after: INFO }
const lostOf = (by: string, instead: string) =>
  `\`data.level\` is 'debug' here; ${by} of the package writes 'info', and that is taken: change ${instead} for another value`

test('an edit that a function writes over is a warning at its field', () => {
  const { results, ranOn, asked } = overwritten(EDIT)
  expect(results).toEqual([
    expect.objectContaining({
      severity: 'warning',
      message: lostOf('a function', 'what it is given'),
      tags: { rule: 'edit-lost' },
      field: expect.objectContaining({ path: ['data', 'level'] }),
    }),
  ])
  expect(ranOn).toBe(INFO)
  expect(asked).toEqual([expect.objectContaining({ path: PATH, index: 0, field: ['data', 'level'] })])
})

test.each<[string, string, string, string]>([
  ['by its image', '{image: set-level}', 'set-level', '`pipeline.mutators[0]` in the Kptfile'],
  ['by its name', '{image: set-level, name: level}', 'level', '`pipeline.mutators[0]` in the Kptfile'],
  ['by its name, with its configuration', '{image: f, name: level, configPath: level.yaml}', 'level', "'level.yaml'"],
  ['of the variant', '{image: f, name: PackageVariant.v.level.0}', 'PackageVariant.v.level.0', '`spec.pipeline` of the variant or its set'],
  ['of the variant, with a file', '{image: f, name: PackageVariant.v.level.0, configPath: a}', 'PackageVariant.v.level.0', "'a'"],
])('the function is named %s, and what people can change instead', (_, written, name, instead) => {
  expect(messages({ ...EDIT, writer: step(written) })).toEqual([lostOf(`the function '${name}'`, instead)])
})

test.each([
  ['apply-setters:v0.2.0', '${level}', "the setter 'level' of "],
  ['ghcr.io/a/apply-setters@sha256:0', '${level}-${tier}', "the setters 'level', 'tier' of "],
  ['apply-setters', '${level}', "the setter 'level' of "],
  ['no-apply-setters', '${level}', ''],
  ['apply-setters-more', '${level}', ''],
])('of the image %s with a comment %s, the setters are named', (image, pattern, setters) => {
  const ours = config(`  level: debug # kpt-set: ${pattern}\n`)
  const [message] = messages({ ...EDIT, ours, writer: step(`{image: '${image}'}`) })
  expect(message).toContain(`: change ${setters}\`pipeline.mutators[0]\` in the Kptfile for`)
})

test('a new field with the comment of a setter asks for the value of the setter', () => {
  const update: Update = {
    ...EDIT,
    base: config('  a: b\n'),
    source: config('  a: b\n'),
    ours: config('  a: b\n  level: debug # kpt-set: ${level}\n'),
  }
  const after = config('  a: b\n  level: info # kpt-set: ${level}\n')
  expect(messages({ ...update, after, writer: step('{image: apply-setters}') })).toEqual([])
  expect(messages({ ...update, after, writer: step('{image: set-level}') })).toHaveLength(1)
})

test.each<[string, Partial<Update>]>([
  ['the file has no edit', { ours: INFO }],
  ['the functions leave the edit', { after: DEBUG }],
  ['the functions write in another field', { after: config('  level: debug\n  more: x\n') }],
  ['the merge took the value of upstream', { merged: INFO }],
  ['the object is not in the last render', { base: config('  level: info\n', 'b') }],
  ['the functions added an object', { after: `${INFO}---\n${config('  a: b\n', 'b')}` }],
  ['the functions write what people wrote, since people changed what they are given', { again: DEBUG }],
  ['the functions cannot run once more', { outcome: 'failed' }],
  ['the package was rendered without its functions, and has the value of upstream', { source: DEBUG }],
])('no edit is written over where %s', (_, change) => {
  expect(messages({ ...EDIT, ...change })).toEqual([])
})

test('functions that write a third value for what people gave them write over no edit, and others do', () => {
  const third = config('  level: warn\n')
  expect(messages({ ...EDIT, after: third, again: third })).toEqual([])
  expect(messages({ ...EDIT, after: third })).toHaveLength(1)
  expect(messages({ ...EDIT, after: third, again: config('  level: trace\n') })).toHaveLength(1)
})

test('an edit that upstream replaced, in a field that functions write anyway, is written over', () => {
  const update: Update = { ...EDIT, merged: INFO }
  expect(messages({ ...update, replaced: ['data', 'level'] })).toEqual([lostOf('a function', 'what it is given')])
  expect(messages({ ...update, replaced: ['data'] })).toHaveLength(1)
  expect(messages({ ...update, replaced: ['data', 'level'], after: undefined })).toHaveLength(1)
  expect(messages({ ...update, replaced: ['data', 'other'] })).toEqual([])
})

test('a field that people removed, and one that functions remove, are named so', () => {
  const without = config('  a: b\n')
  const both = config('  a: b\n  level: info\n')
  const source = config('  a: b\n  level: none\n')
  expect(messages({ base: both, source, ours: without, after: both })).toEqual([
    expect.stringContaining("`data.level` was deleted here; a function of the package writes 'info'"),
  ])
  expect(messages({ base: without, source, ours: config('  a: b\n  level: debug\n'), after: without })).toEqual([
    expect.stringContaining("`data.level` is 'debug' here; a function of the package removes it"),
  ])
})

test('of two objects, the one that people edited is found by its identity', () => {
  const other = config('  a: b\n', 'b')
  const { results, asked } = overwritten({
    base: `${INFO}---\n${other}`,
    source: `${config('  level: none\n')}---\n${other}`,
    ours: `${other}---\n${DEBUG}`,
    after: `${other}---\n${INFO}`,
  })
  expect(results).toHaveLength(1)
  expect(asked.map(({ index }) => index)).toEqual([1])
})
