import type { JsonRecord, JsonValue } from '../../../src/json.ts'
import { isUpgradable } from '../../../src/versions/blang-version.ts'
import { DIALECTS } from '../../../src/versions/dialects.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { judgeGraph } from './glasskube-graph.ts'
import { clusterPackage, glasskubeCatalog } from './glasskube-objects.ts'
import { judgeValidate } from './glasskube-validate.ts'
import { judgeWebhook } from './glasskube-webhook.ts'
import { judgeCheck } from './semver.ts'
import { casesOfFile, check, differ, judgeByKind, lacksText, list, record, text, texts, type WireResult } from './vectors.ts'

/** Rules of Glasskube on versions and dependencies, and the decision tree of seed 004. */
export const GLASSKUBE: Adapter = {
  folder: 'dependencies/glasskube',
  cases: casesOfFile,
  run: judgeByKind({
    'glasskube-validate-constraint': (vector) => judgeCheck(vector, DIALECTS.m331validate),
    'glasskube-is-upgradable': (vector) =>
      differ('upgradable', isUpgradable(text(vector, 'installed'), text(vector, 'desired')), vector.expect),
    'glasskube-seed': judgeLeaf,
    'glasskube-graph': judgeGraph,
    'glasskube-webhook': judgeWebhook,
    'glasskube-validate': judgeValidate,
  }),
  known: [],
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
