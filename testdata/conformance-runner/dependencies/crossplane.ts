import { friendlyID, sourceFromReference, toDNSLabel } from '../../../src/dependencies/crossplane/reference.ts'
import { commonDigest } from '../../../src/dependencies/crossplane/resolver.ts'
import { type DependencyGraph, dependenciesOf, impliedNodes, sortDependencies } from '../../../src/dependencies/graph.ts'
import { resolveClaims } from '../../../src/dependencies/owners.ts'
import { isRecord, type JsonRecord } from '../../../src/json.ts'
import type { Adapter, Difference } from '../adapter.ts'
import { check } from './commands.ts'
import { judgeEstablish, judgeReconcile, judgeSeedLifecycle } from './crossplane-lifecycle.ts'
import { judgeInstall, judgePrune, judgeScenario, judgeUpdate, judgeVersionToUpdate } from './crossplane-resolve.ts'
import { judgeRevision } from './crossplane-revision.ts'
import { casesOfFile, differ, judgeByKind, list, record, records, text, texts } from './vectors.ts'

/** Rules of Crossplane on names, graphs, digests and the Lock, and those of seed 003. */
export const CROSSPLANE: Adapter = {
  folder: 'dependencies/crossplane',
  cases: casesOfFile,
  run: judgeByKind({
    'crossplane-names': judgeName,
    dag: judgeDag,
    'crossplane-digest': judgeDigest,
    'crossplane-revision-resolve': judgeRevision,
    'crossplane-seed': judgeSeedRule,
    'crossplane-e2e': judgeScenario,
    'crossplane-update': judgeVersionToUpdate,
    'crossplane-install': judgeInstall,
    'crossplane-update-installed': judgeUpdate,
    'crossplane-prune': judgePrune,
    'crossplane-package-reconcile': judgeReconcile,
    'crossplane-establish': judgeEstablish,
  }),
  known: [],
}

function judgeName(vector: JsonRecord): readonly Difference[] {
  const [first = '', second = ''] = texts(vector, 'in')
  const functions: Readonly<Record<string, () => string>> = {
    friendlyID: () => friendlyID(first, second),
    toDNSLabel: () => toDNSLabel(first),
    sourceFromReference: () => sourceFromReference(first),
  }
  return differ(text(vector, 'fn'), functions[text(vector, 'fn')]?.(), vector.out)
}

function judgeDag(vector: JsonRecord): readonly Difference[] {
  const nodes = records(vector, 'nodes')
  const graph: DependencyGraph = new Map(nodes.map((node) => [text(node, 'identifier'), texts(node, 'neighbors')]))
  const expected = record(vector, 'expect')
  const order = sortDependencies(graph)
  const [first] = nodes
  return [
    ...differ('sort', order === undefined ? 'error' : 'ok', text(expected, 'sort') === 'ok' ? 'ok' : 'error'),
    ...(expected.impliedCount === undefined ? [] : differ('impliedCount', impliedNodes(graph).length, expected.impliedCount)),
    ...(expected.order === undefined ? [] : differ('order', order, expected.order)),
    ...list(expected, 'before').flatMap((pair) => (Array.isArray(pair) ? judgeBefore(order ?? [], pair.map(String)) : [])),
    ...(expected.dependenciesOfFirst === undefined
      ? []
      : differ(
          'dependenciesOfFirst',
          dependenciesOf(graph, first === undefined ? '' : text(first, 'identifier')).length,
          expected.dependenciesOfFirst,
        )),
  ]
}

function judgeBefore(order: readonly string[], [a = '', b = '']: readonly string[]): readonly Difference[] {
  return order.indexOf(a) < order.indexOf(b) ? [] : [{ what: `${a} must come before ${b}`, actual: [...order] }]
}

function judgeDigest(vector: JsonRecord): readonly Difference[] {
  return differ('digest', commonDigest(texts(vector, 'parentConstraints')), vector.expect)
}

// The rules that need no lifecycle: forms that exclude each other, and objects that two packages bring.
function judgeSeedRule(vector: JsonRecord): readonly Difference[] {
  if (text(vector, 'event') === 'validate') return judgeForms(vector)
  const packages = Object.entries(record(vector, 'packages'))
  if (text(vector, 'event') !== 'install both' || packages.length === 0) return judgeSeedLifecycle(vector)
  const claims = packages.flatMap(([claimant, objects]) =>
    Array.isArray(objects) ? objects.map((object) => ({ object: String(object), claimant, controls: false })) : [],
  )
  return differ('winners', resolveClaims(claims).winners.length, record(vector, 'expect').winners)
}

function judgeForms(vector: JsonRecord): readonly Difference[] {
  const configuration = {
    apiVersion: 'meta.pkg.crossplane.io/v1',
    kind: 'Configuration',
    metadata: { name: 'written' },
    spec: { dependsOn: list(vector, 'dependsOn').filter(isRecord) },
  }
  const faults = check([configuration], { crossplaneSemantics: 'seed' }).filter(({ tags }) => tags.rule === 'dependency-form-invalid')
  return differ(
    'error',
    faults.some(({ severity }) => severity === 'error'),
    record(vector, 'expect').error,
  )
}
