import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHARED_MUST_BE_THERE } from '../../testdata/shared-folder.ts'
import { isRecord, type JsonRecord, type JsonValue } from '../json.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { ResourceList } from '../resource-list/resource-list.ts'
import { DEFAULT_OPTIONS } from './options.ts'
import { type FleetPlan, planFanOut } from './plan-fan-out.ts'

// Fleets from public repositories, with what Porch's controller makes of them. They are not part of this repository.
const FLEETS = '../shared/real/fleets'

interface ExpectedSet {
  readonly file: string
  readonly packageVariantSet: string
  readonly stage: string
  readonly packageVariants?: readonly { readonly name: string; readonly namespace: string; readonly spec: JsonRecord }[]
  readonly errors?: readonly string[]
}

/** The rules whose outcome differs from the expected one, with the reason. */
const KNOWN_RULES: Readonly<Record<string, readonly string[]>> = {
  // ha/kube-vip gives names with a slash, which an API server refuses
  'rke2lab-kube-vip': ['variant-name'],
  // `name` stands twice in one map
  'porch-v1alpha2-sample pvs-v1alpha2.yaml': ['duplicate-key'],
}

const NAMES = ['free5g-core-topology', 'free5gc-e2e', 'gcp-install-guide', 'porch-tutorial', 'porch-v1alpha2-sample', 'rke2lab-kube-vip']
const runs = NAMES.flatMap(runsOf)

/** Where CI runs they must be there. */
const runIfThere = test.skipIf(!existsSync(FLEETS) && !SHARED_MUST_BE_THERE)

/** A fleet in one run; the two sets of Porch's sample have one name, so each is run alone. */
function runsOf(fleet: string): { name: string; fleet: string; without: string[] }[] {
  if (fleet !== 'porch-v1alpha2-sample') return [{ name: fleet, fleet, without: [] }]
  const [a, b] = ['pvs-v1alpha2.yaml', 'packagevariantset.yaml'] as const
  return [
    { name: `${fleet} ${a}`, fleet, without: [b] },
    { name: `${fleet} ${b}`, fleet, without: [a] },
  ]
}

runIfThere.each(runs)('$name gives what the controller makes of it', ({ name, fleet, without }) => {
  const plan = planFanOut(readFleet(fleet, without), DEFAULT_OPTIONS)
  const errors = plan.results.filter(({ severity }) => severity === 'error').map(({ tags }) => tags.rule)
  expect([...new Set(errors)]).toEqual(KNOWN_RULES[name] ?? [])
  const expected = expectedSets(fleet, 'expected-normalised.json', without)
  expect(expected.map(({ stage }) => stage)).toEqual(expected.map(() => 'ok'))
  if (errors.includes('duplicate-key')) return
  expect(variantsOf(plan)).toEqual(expected.flatMap(({ packageVariants = [] }) => packageVariants).sort(byName))
})

runIfThere.each(runs)('$name: a string as revision is a warning where the controller fails', ({ fleet, without }) => {
  const { results } = planFanOut(readFleet(fleet, without), DEFAULT_OPTIONS)
  const failing = expectedSets(fleet, 'expected.json', without).filter(({ errors = [] }) =>
    errors.some((error) => error.includes('revision')),
  )
  expect(results.filter(({ tags }) => tags.rule === 'string-revision')).toHaveLength(failing.length)
})

/** The documents of a fleet's files; a file that is rendered somewhere else is taken from there. */
function readFleet(fleet: string, without: readonly string[]): ResourceList {
  const { files } = JSON.parse(readFileSync(join(FLEETS, fleet, 'INDEX.json'), 'utf8'))
  const paths: string[] = files.map(({ file, rendered_as: rendered = file }: { file: string; rendered_as?: string }) => rendered)
  return ResourceList.of(
    paths.filter((path) => !without.some((name) => path.endsWith(`/${name}`))).flatMap((path) => readDocuments(fleet, path)),
  )
}

function readDocuments(fleet: string, path: string): KrmObject[] {
  const texts = readFileSync(join(FLEETS, fleet, path), 'utf8').split(/^---.*\n/m)
  return texts.filter((text) => /^\w/m.test(text)).map((text, index) => KrmObject.fromDocument(text, { path, index, line: 1 }))
}

function expectedSets(fleet: string, file: string, without: readonly string[]): ExpectedSet[] {
  const { sets }: { sets: ExpectedSet[] } = JSON.parse(readFileSync(join(FLEETS, fleet, file), 'utf8'))
  return sets.filter((set) => !without.some((name) => set.file.endsWith(`/${name}`)))
}

function variantsOf({ sets }: FleetPlan): object[] {
  const changes = sets.flatMap((set) => set.changes.filter(({ op }) => op !== 'remove'))
  return changes.map(({ name, namespace, after }) => ({ name, namespace, spec: normalised(after) })).sort(byName)
}

/** As the expectation was made: `vN` is the number N, any other text a workspaceName. */
function normalised(spec: JsonValue | undefined): JsonValue {
  if (!isRecord(spec) || !isRecord(spec.upstream) || typeof spec.upstream.revision !== 'string') return spec ?? null
  const { revision, ...upstream } = spec.upstream
  const number = /^v(\d+)$/.exec(revision)?.[1]
  return { ...spec, upstream: { ...upstream, ...(number === undefined ? { workspaceName: revision } : { revision: Number(number) }) } }
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1
}
