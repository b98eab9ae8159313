import { type Fleet, packageKey } from '../fleet/fleet.ts'
import { scalarText } from '../json.ts'
import { revisionNumber, writtenRevision } from '../kinds/revision.ts'
import { bareFolder } from './origin.ts'
import { NO_REPOSITORY, type RepositoryOptions } from './repository-options.ts'

/** The facts of one repository, from the options and the objects of a fleet. */
export interface RepositoryFacts {
  /** The name that variants use. */
  readonly name: string
  readonly options: RepositoryOptions
  /** The folder that holds the repository's packages. */
  readonly path: string
  /** The repository as a Kptfile names it: a URL, or the repository's name if no URL is known. */
  readonly repo: string
  /** The folder in the git repository below which the packages are; '' for the top. */
  readonly directory: string
  readonly branch: string
  /** True if the Repository is an OCI registry, which no command reads. */
  readonly isOci: boolean
}

/** Returns the facts of a repository: the options win over its Repository object, and the object wins over the name. */
export function repositoryFacts(
  name: string,
  namespace: string,
  fleet: Fleet,
  options: ReadonlyMap<string, RepositoryOptions>,
): RepositoryFacts {
  const chosen = options.get(name) ?? NO_REPOSITORY
  const object = fleet.repositories(namespace).get(name)?.object
  const written = (field: string): string => {
    const value = object?.get(['spec', 'git', field])
    return typeof value === 'string' ? value : ''
  }
  return {
    name,
    options: chosen,
    path: bareFolder(chosen.path ?? name),
    repo: chosen.git?.repo ?? (written('repo') || name),
    directory: bareFolder(chosen.git?.directory ?? (chosen.git === undefined ? written('directory') : '')),
    branch: written('branch') || 'main',
    isOci: object?.get(['spec', 'type']) === 'oci',
  }
}

/**
 * Returns the revision numbers of a package by the names of their workspaces, read from the PackageRevisions of a fleet; '0' for a
 * draft.
 */
export function workspaceRevisions(fleet: Fleet, namespace: string, repo: string, packageName: string): ReadonlyMap<string, string> {
  const revisions = fleet.revisions().get(packageKey(namespace, repo, packageName)) ?? []
  return new Map(
    revisions.map(({ object }) => [scalarText(object.get(['spec', 'workspaceName'])), scalarText(writtenRevision(object)) || '0']),
  )
}

/** Returns the names of the published revisions of a package, `v3`, read from the PackageRevisions of a fleet. */
export function publishedRevisions(fleet: Fleet, namespace: string, repo: string, packageName: string): ReadonlySet<string> {
  const revisions = fleet.revisions().get(packageKey(namespace, repo, packageName)) ?? []
  const numbers = revisions.map(({ object }) => revisionNumber(writtenRevision(object)) ?? 0)
  return new Set(numbers.filter((number) => number > 0).map((number) => `v${number}`))
}
