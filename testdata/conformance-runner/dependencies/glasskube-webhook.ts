import type { JsonRecord } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { clusterPackage, glasskubeCatalog, packageInfo } from './glasskube-objects.ts'
import { check, differ, record, records, text, type WireResult } from './vectors.ts'

/** An admission: what the change breaks that was not broken before. */
export function judgeWebhook(vector: JsonRecord): readonly Difference[] {
  return differ('admission', admissionOf(vector), vector.expect)
}

function admissionOf(vector: JsonRecord): 'ok' | 'conflict' | 'error' {
  const changed = record(vector, 'package')
  const remaining = records(vector, 'installed').filter(
    (each) => text(each, 'name') !== text(changed, 'name') || text(each, 'namespace') !== text(changed, 'namespace'),
  )
  const removed = text(vector, 'op') === 'delete'
  const known = record(record(vector, 'repo'), text(changed, 'package') || text(changed, 'name'))
  if (!removed && known[text(changed, 'version')] === undefined) return 'error'
  const before = violations(vector, records(vector, 'installed'))
  const added = violations(vector, removed ? remaining : [...remaining, changed]).filter(
    ({ message }) => !before.some((each) => each.message === message),
  )
  if (added.some(({ tags }) => tags.rule === 'dependency-conflict')) return 'conflict'
  const unmet = added.filter(({ tags }) => removed || tags.candidate === undefined)
  return unmet.length === 0 ? 'ok' : removed ? 'conflict' : 'error'
}

function violations(vector: JsonRecord, installed: readonly JsonRecord[]): readonly WireResult[] {
  const repo = record(vector, 'repo')
  const objects = installed.filter((each) => each.deleting !== true).flatMap((each) => packageObjects(each, repo))
  const versions = Object.fromEntries(Object.keys(repo).map((name) => [name, Object.keys(record(repo, name))]))
  return check([...objects, glasskubeCatalog(versions)]).filter(({ severity }) => severity === 'error')
}

function packageObjects(each: JsonRecord, repo: JsonRecord): object[] {
  const [name, version, namespace] = [text(each, 'package') || text(each, 'name'), text(each, 'version'), text(each, 'namespace')]
  const manifest = record(record(repo, name), version)
  if (namespace === '') return clusterPackage(name, version, manifest)
  const instance = {
    apiVersion: 'packages.glasskube.dev/v1alpha1',
    kind: 'Package',
    metadata: { name: text(each, 'name'), namespace },
    spec: { packageInfo: { name, version } },
  }
  return [instance, packageInfo(name, version, { ...manifest, scope: 'Namespaced' })]
}
