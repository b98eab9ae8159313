import { definedEntries } from '../../group-by.ts'
import { equalJson, type JsonValue, memberOf, scalarText } from '../../json.ts'
import { valueAt } from '../field-changes.ts'
import type { JudgedChange } from './danger-rule.ts'

/** The two fields of a PersistentVolumeClaim that name its source. */
export const CLAIM_SOURCES = ['dataSource', 'dataSourceRef'] as const
type ClaimSources = Readonly<Partial<Record<(typeof CLAIM_SOURCES)[number], JsonValue>>>

/**
 * Returns true if a change of a claim changes one of its sources on the server, which compares them after it wrote a source that one field
 * names into the other one too (core persistentvolumeclaim Strategy).
 */
export function changesSource(name: keyof ClaimSources, { before, after }: JudgedChange): boolean {
  const [was = {}, is = {}] = [before, after].map((claim) => sourcesOf((each) => valueAt(claim, ['spec', each]) ?? undefined))
  const stored = inBothFields(withoutOldForm(was))
  // Who applies the file removes what the file had, and leaves what only the server has.
  const sent = sourcesOf((each) => is[each] ?? (was[each] === undefined ? stored[each] : undefined))
  const isUsed = CLAIM_SOURCES.some((each) => stored[each] !== undefined)
  return !equalJson(stored[name] ?? null, inBothFields(isUsed ? sent : withoutOldForm(sent))[name] ?? null)
}

function sourcesOf(sourceOf: (name: keyof ClaimSources) => JsonValue | undefined): ClaimSources {
  return Object.fromEntries(definedEntries(CLAIM_SOURCES.map((name) => [name, sourceOf(name)])))
}

/** Leaves out a `dataSource` alone that is neither a claim nor a snapshot, which the server does not read. */
function withoutOldForm(sources: ClaimSources): ClaimSources {
  const { dataSource, dataSourceRef } = sources
  if (dataSource === undefined || dataSourceRef !== undefined) return sources
  const [group, kind] = ['apiGroup', 'kind'].map((key) => scalarText(memberOf(dataSource, key)))
  return CLAIMS_AND_SNAPSHOTS.has(`${group} ${kind}`) ? sources : {}
}

const CLAIMS_AND_SNAPSHOTS: ReadonlySet<string> = new Set([' PersistentVolumeClaim', 'snapshot.storage.k8s.io VolumeSnapshot'])

/** Writes a source that one field names into the other one. `dataSource` cannot name a source in another namespace. */
function inBothFields(sources: ClaimSources): ClaimSources {
  const { dataSource, dataSourceRef } = sources
  if (dataSource !== undefined && dataSourceRef === undefined) return { dataSource, dataSourceRef: dataSource }
  const isElsewhere = scalarText(memberOf(dataSourceRef, 'namespace')) !== ''
  return dataSourceRef === undefined || dataSource !== undefined || isElsewhere ? sources : { dataSource: dataSourceRef, dataSourceRef }
}
