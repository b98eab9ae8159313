import { type Fleet, packageKey } from '../../fleet/fleet.ts'
import { scalarText } from '../../json.ts'
import { writtenRevision } from '../../kinds/revision.ts'
import { NO_REPOSITORY, type RepositoryOptions } from '../options.ts'
import { bareFolder } from '../origin.ts'

/** What options and the objects of a fleet say of one repository. */
export interface RepositoryFacts {
  /** As variants call it. */
  readonly name: string
  readonly options: RepositoryOptions
  /** The folder that holds its packages. */
  readonly path: string
  /** As a Kptfile names it: a URL, or its name where none is known. */
  readonly repo: string
  /** The folder in it below which its packages are; '' for its top. */
  readonly directory: string
  readonly branch: string
}

/** What is known of a repository: options, then its Repository among the objects, then its name. */
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
  }
}

/** The numbers of a package's revisions by the names of their workspaces, as the PackageRevisions of a fleet tell them. */
export function workspaceRevisions(fleet: Fleet, namespace: string, repo: string, packageName: string): ReadonlyMap<string, string> {
  const revisions = fleet.revisions().get(packageKey(namespace, repo, packageName)) ?? []
  return new Map(
    revisions.map(({ object }) => [scalarText(object.get(['spec', 'workspaceName'])), scalarText(writtenRevision(object)) || '0']),
  )
}
