import { admitChange } from '../../../src/dependencies/glasskube/admission.ts'
import type { PackageIndex } from '../../../src/dependencies/package-index.ts'
import { readObjects } from '../../../src/dependencies/read-objects.ts'
import type { JsonRecord } from '../../../src/json.ts'
import type { Difference } from '../adapter.ts'
import { isSame, packageObjects, repositoryCatalog } from './glasskube-packages.ts'
import { readInput } from './plans.ts'
import { differ, record, records, text } from './vectors.ts'

/** An admission: what the change breaks that was not broken before. */
export function judgeWebhook(vector: JsonRecord): readonly Difference[] {
  return differ('admission', admissionOf(vector), vector.expect)
}

function admissionOf(vector: JsonRecord): string {
  const changed = record(vector, 'package')
  const installed = records(vector, 'installed')
  const others = installed.filter((each) => !isSame(each, changed))
  const before = packageIndexOf(vector, installed)
  const isDeletion = text(vector, 'op') === 'delete'
  const { outcome } = admitChange(before, packageIndexOf(vector, isDeletion ? others : [...others, changed]))
  // What would have to be installed is no fault of a change, and one of a deletion.
  return isDeletion ? (outcome === 'ok' ? 'ok' : 'conflict') : outcome === 'resolvable' ? 'ok' : outcome
}

// Only what the repository has has a manifest.
function packageIndexOf(vector: JsonRecord, packages: readonly JsonRecord[]): PackageIndex {
  const repo = record(vector, 'repo')
  const objects = packages.flatMap((each) => {
    const manifest = record(repo, text(each, 'package') || text(each, 'name'))[text(each, 'version')]
    const [object, info] = packageObjects(each, record({ manifest: manifest ?? null }, 'manifest'))
    return manifest === undefined ? [object ?? {}] : [object ?? {}, info ?? {}]
  })
  const index = readObjects(readInput([...objects, repositoryCatalog(repo)])).all.find(({ ecosystem }) => ecosystem === 'glasskube')?.index
  if (index === undefined) throw new Error('no package index')
  return index
}
