import { admitChange, isConflict } from '../../../src/dependencies/glasskube/admission.ts'
import type { Step } from '../../../src/dependencies/plan/plan.ts'
import type { JsonRecord, JsonValue } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { isSame, ownManifest, packageObjects, repositoryCatalog } from './glasskube-packages.ts'
import { type Planned, planOn } from './plans.ts'
import { differ, record, records, text } from './vectors.ts'

/** One package, new or updated, against what is installed: what has to be installed with it, what is in conflict, what is no longer needed. */
export function judgeValidate(vector: JsonRecord): readonly Difference[] {
  const expected = record(vector, 'expect')
  const candidate = record(vector, 'validate')
  const installed = records(vector, 'installed')
  const before = planOf(vector, installed)
  const after = planOf(vector, [...installed.filter((each) => !isSame(each, candidate)), candidate])
  const { outcome, violations } = admitChange(packageIndexOf(before), packageIndexOf(after))
  const conflicts = violations.filter(isConflict)
  const creates = after.plan.steps.filter(({ op }) => op === 'create')
  const status = outcome.toUpperCase()
  return [
    ...(expected.status === undefined ? [] : differ('status', status, expected.status)),
    ...(expected.error === undefined ? [] : differ('error', status === 'ERROR', true)),
    ...(expected.conflictCount === undefined ? [] : differ('conflictCount', conflicts.length, expected.conflictCount)),
    ...(expected.requirements === undefined
      ? []
      : differSome(
          'requirements',
          status === 'RESOLVABLE' ? creates.map((step) => requirementOf(step, after)) : [],
          expected,
          'requirements',
        )),
    ...(expected.conflicts === undefined ? [] : differSome('conflicts', conflicts.map(conflictOf), expected, 'conflicts')),
    ...(expected.pruned === undefined
      ? []
      : differSome('pruned', after.plan.steps.filter(({ op }) => op === 'remove').map(prunedOf), expected, 'pruned')),
  ]
}

function planOf(vector: JsonRecord, packages: readonly JsonRecord[]): Planned {
  const objects = packages.flatMap((each) => packageObjects(each, ownManifest(each)))
  return planOn([...objects, repositoryCatalog(record(vector, 'repo'))], { upgrades: 'none', prune: true })
}

function packageIndexOf({ readings }: Planned) {
  const index = readings.all.find(({ ecosystem }) => ecosystem === 'glasskube')?.index
  if (index === undefined) throw new Error('no package index')
  return index
}

function requirementOf(step: Step, { objectOf }: Planned): JsonRecord {
  const { version, pass, package: pkg } = step
  const info = record(record(objectOf(step), 'spec'), 'packageInfo')
  const component = componentOf(pkg.key)
  return { name: text(info, 'name'), version, ...component, transitive: pass > 1 }
}

/** `{component: {name, namespace}}` of a package in a namespace. */
function componentOf(key: string): JsonRecord {
  const [namespace = '', name] = key.split('/')
  return name === undefined ? {} : { component: { name, namespace } }
}

function conflictOf({
  tags: { dependency = '', installed = '', required = '' },
}: ReturnType<typeof admitChange>['violations'][number]): JsonRecord {
  return { name: dependency, actual: installed, required }
}

function prunedOf({ package: pkg, install }: Step): JsonRecord {
  const component = componentOf(pkg.key)
  return { name: install?.package.id ?? pkg.id, ...component }
}

/** The same objects in any order; of each only what is recorded counts. */
function differSome(what: string, actual: readonly JsonRecord[], expected: JsonRecord, key: string): readonly Difference[] {
  const wanted = records(expected, key)
  const seen = actual.map((each) => {
    const recorded = wanted.find((one) => text(one, 'name') === text(each, 'name')) ?? each
    return Object.fromEntries(Object.entries(each).filter(([name]) => Object.hasOwn(recorded, name)))
  })
  return differ(what, sorted(seen), sorted(wanted))
}

function sorted(values: readonly JsonRecord[]): JsonValue {
  const texts = values.map((value) => JSON.stringify(Object.fromEntries(Object.entries(value).sort()))).sort()
  return texts.map((each): JsonValue => JSON.parse(each))
}
