import { compareText } from '../../field-path.ts'
import type { RevisionOptions } from '../options.ts'
import type { UpstreamOrigin } from '../origin.ts'
import type { RepositoryFacts } from './repository-facts.ts'

/** A package at a revision that is looked for. */
export interface AskedRevision {
  readonly facts: RepositoryFacts
  readonly packageName: string
  /** What the revision may be called, the likeliest first. */
  readonly names: readonly string[]
}

/** What the options say of the revision itself. */
function revisionOptions({ facts, names }: AskedRevision): RevisionOptions {
  return names.map((name) => facts.options.revisions.get(name)).find((options) => options !== undefined) ?? {}
}

/** The folders that hold this revision and no other: `catalog/upf@v3`. */
export function revisionFolders(asked: AskedRevision): readonly string[] {
  const { path } = revisionOptions(asked)
  if (path !== undefined) return [path]
  return asked.names.map((name) => `${plainFolder(asked)}@${name}`)
}

/** The folder that holds whichever revision there is: `catalog/upf`. */
export function plainFolder({ facts, packageName }: AskedRevision): string {
  return joinFolders(facts.path, packageName)
}

/** The folder of the package in its git repository. */
export function gitDirectory({ facts, packageName }: AskedRevision): string {
  return joinFolders(facts.directory, packageName)
}

/** A name of a revision in git, and what a Kptfile says for it. */
export interface GitName extends Pick<UpstreamOrigin, 'ref' | 'resolvedRef'> {
  /** For git: `refs/tags/upf/v3`. */
  readonly name: string
}

/**
 * What a revision may be called in git: the tag of this package alone, as Porch writes it, then the ref as it stands. A number is looked for
 * among tags and branches only, since it could begin the id of a commit.
 */
export function gitNames(asked: AskedRevision): readonly GitName[] {
  const { ref, resolvedRef } = revisionOptions(asked)
  if (ref !== undefined) return [{ name: resolvedRef ?? ref, ref, resolvedRef: resolvedRef ?? ref }]
  const folders = [...new Set([gitDirectory(asked), asked.packageName])]
  const tags = asked.names.flatMap((own) =>
    folders.map((folder) => ({ name: `refs/tags/${folder}/${own}`, ref: own, resolvedRef: `${folder}/${own}` })),
  )
  const refs = asked.names.flatMap((own) =>
    (isDigits(own) ? [`refs/tags/${own}`, `refs/heads/${own}`] : [own]).map((name) => ({ name, own })),
  )
  return [...tags, ...refs.map(({ name, own }) => ({ name, ref: own, resolvedRef: own }))]
}

function isDigits(name: string): boolean {
  return /^\d+$/.test(name)
}

/** Where a revision is that was found in a folder, as far as somebody said so. */
export function folderOrigin(asked: AskedRevision): UpstreamOrigin {
  const { ref = asked.names[0] ?? '', resolvedRef = ref, commit } = revisionOptions(asked)
  return { repo: asked.facts.repo, directory: gitDirectory(asked), ref, resolvedRef, ...(commit !== undefined && { commit }) }
}

export function joinFolders(above: string, below: string): string {
  return above === '' ? below : `${above}/${below}`
}

/** The folders among some that hold a package at any revision. */
export function revisionsAmong(folders: readonly string[], plain: string): readonly string[] {
  return folders.filter((folder) => folder === plain || folder.startsWith(`${plain}@`)).sort(compareText)
}
