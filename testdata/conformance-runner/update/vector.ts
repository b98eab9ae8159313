import { asRecord, type JsonRecord, type JsonValue, scalarText } from '../../../src/json.ts'
import type { RenderOrder, Texts } from '../render-folder.ts'
import { resourcesIn } from '../written-resource.ts'

export type { Texts } from '../render-folder.ts'

/** One case of `porch/update`: three packages, and what kpt and Porch made of them. */
export interface UpdateVector {
  readonly strategy: 'resource-merge' | 'fast-forward' | 'force-delete-replace' | 'copy-merge'
  readonly input: {
    readonly original: Texts
    readonly updated: Texts
    readonly local: Texts
    /** The refs and commits of both revisions, where they are recorded. */
    readonly upstream?: Readonly<Record<string, string>>
  }
  /** The files afterwards, or `{error}`. */
  readonly expected: Texts
  /** The expectation of newer kpt, where it differs. */
  readonly expectedKptHead?: Texts | string
}

/** The boundary: vectors are trusted to have their format. */
export function readVector(vector: JsonRecord): UpdateVector {
  return vector as unknown as UpdateVector
}

/** Returns what the newest kpt that is known does: it is the judge where the versions differ. */
export function expectedOf({ expected, expectedKptHead }: UpdateVector): Texts {
  return isTexts(expectedKptHead) ? expectedKptHead : expected
}

function isTexts(value: Texts | string | undefined): value is Texts {
  return typeof value === 'object'
}

/** The update as `render` is asked for it: the local package names its revision in its Kptfile. */
export function orderOf({ strategy, input: { original, updated, local, upstream = {} } }: UpdateVector): RenderOrder {
  const { repo = '', directory = '', ref = 'v1', commit } = lockOf(local)
  const wanted = upstream.updatedRef ?? 'v2'
  const revision = (files: Texts, name: string, resolvedRef: string | undefined, known: string | undefined) => ({
    files,
    ref: name,
    resolvedRef: resolvedRef ?? name,
    ...(known !== undefined && { commit: known }),
  })
  return {
    clone: 'kpt',
    updateStrategy: strategy,
    repo: upstream.repo ?? repo,
    directory,
    revisions: [
      revision(original, upstream.originalRef ?? ref, upstream.originalResolvedRef, upstream.originalCommit ?? commit),
      revision(updated, wanted, upstream.updatedResolvedRef, upstream.updatedCommit),
    ],
    wanted,
    packageName: 'my-pkg',
    local,
  }
}

/** Returns what the Kptfile of a package says about its upstream. */
function lockOf(local: Texts): Readonly<Record<string, string>> {
  const [kptfile] = resourcesIn('Kptfile', local.Kptfile ?? '') ?? []
  const { upstream, upstreamLock } = asRecord(kptfile?.value)
  const git = asRecord(asRecord((upstreamLock ?? upstream) as JsonValue | undefined).git)
  return Object.fromEntries(Object.entries(git).map(([key, value]) => [key, scalarText(value)]))
}
