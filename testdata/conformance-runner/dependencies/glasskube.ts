import type { JsonRecord, JsonValue } from '../../../src/json.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { check, resolve, textIn, unmet, type WireResult } from './commands.ts'
import { judgeValidate, judgeWebhook } from './glasskube-admission.ts'
import { judgeGraph } from './glasskube-graph.ts'
import { clusterPackage, glasskubeCatalog } from './glasskube-objects.ts'
import { casesOfFile, differ, judgeByKind, lacksText, list, record, text, texts } from './vectors.ts'

/** Rules of Glasskube on versions and dependencies, and the decision tree of seed 004. */
export const GLASSKUBE: Adapter = {
  folder: 'dependencies/glasskube',
  cases: casesOfFile,
  run: judgeByKind({
    'glasskube-validate-constraint': judgeConstraint,
    'glasskube-is-upgradable': judgeUpgrade,
    'glasskube-seed': judgeLeaf,
    'glasskube-graph': judgeGraph,
    'glasskube-webhook': judgeWebhook,
    'glasskube-validate': judgeValidate,
  }),
  known: [],
}

/** One version and one constraint: P requires D in the range, and D is installed in the version. */
function judgeConstraint(vector: JsonRecord): readonly Difference[] {
  const dependencies = [{ name: 'D', version: text(vector, 'constraint') }]
  const objects = [...clusterPackage('P', '1.0.0', { dependencies }), ...clusterPackage('D', text(vector, 'version'))]
  const refused = check(objects).some(({ tags }) => tags.rule === 'constraint-invalid')
  const [found] = unmet(objects)
  const isNoVersion = found?.message.includes(' is no version') === true
  return differ('accepted', refused || isNoVersion ? 'does not parse' : found === undefined, vector.expect)
}

/**
 * Whether a version is an upgrade: of a package without a version, with `status.version`, the operator makes the PackageInfo of the latest
 * version of the repository, if that is an upgrade, else of the installed one.
 */
function judgeUpgrade(vector: JsonRecord): readonly Difference[] {
  const [installed, desired] = [text(vector, 'installed'), text(vector, 'desired')]
  const object = {
    apiVersion: 'packages.glasskube.dev/v1alpha1',
    kind: 'ClusterPackage',
    metadata: { name: 'D' },
    spec: { packageInfo: { name: 'D' } },
    status: { version: installed },
  }
  const catalog = {
    apiVersion: 'fn.krm-variants.dev/v1alpha1',
    kind: 'Catalog',
    metadata: { name: 'repository' },
    spec: { packages: [{ ecosystem: 'glasskube', id: 'D', latest: desired, versions: [desired] }] },
  }
  const { items } = resolve([object, catalog], { lifecycle: true })
  const info = items.find(({ kind }) => kind === 'PackageInfo')
  const wanted = info && textIn(info, 'spec', 'version')
  return differ('upgradable', wanted === desired && desired !== installed, vector.expect)
}

function judgeLeaf(vector: JsonRecord): readonly Difference[] {
  const results = check(objectsOfLeaf(vector)).filter(({ tags, severity }) => tags.package === 'P' && severity !== 'info')
  const { expect } = vector
  if (expect === 'fulfilled') return differ('results', results, [])
  const expected = record(vector, 'expect')
  if (expected.install !== undefined) {
    return differ(
      'install',
      results.map(({ tags }) => [tags.rule, tags.candidate]),
      [['dependency-missing', expected.install]],
    )
  }
  return judgeConflict(results, record(expected, 'conflict'), text(vector, 'installedD'))
}

function objectsOfLeaf(vector: JsonRecord): object[] {
  const requiring = (range: JsonValue) => ({ dependencies: [{ name: 'D', ...(typeof range === 'string' && { version: range }) }] })
  const others = list(vector, 'others').flatMap((range, i) => clusterPackage(`O${i + 1}`, '1.0.0', requiring(range)))
  const installed = text(vector, 'installedD') === '' ? [] : clusterPackage('D', text(vector, 'installedD'))
  return [
    ...clusterPackage('P', '1.0.0', requiring(vector.pdv ?? null)),
    ...installed,
    ...others,
    glasskubeCatalog({ D: texts(vector, 'available') }),
  ]
}

// `resolvable` a text: it depends on the ranges, and these do overlap.
function judgeConflict(results: readonly WireResult[], expected: JsonRecord, installed: string): readonly Difference[] {
  const [result] = results
  const message = result?.message ?? ''
  const words = text(expected, 'because').replace('DV', installed)
  return [
    ...differ(
      'rules',
      results.map(({ tags }) => tags.rule),
      ['dependency-conflict'],
    ),
    ...differ('resolvable', /: (might be )?resolvable /.test(message), expected.resolvable !== false),
    ...differ('updateTo', result?.field?.proposedValue, expected.updateTo),
    ...lacksText([words], message),
  ]
}
