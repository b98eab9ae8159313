import { asUrl } from '../git/git-address.ts'
import { groupBy } from '../group-by.ts'
import { asList, asRecord, isRecord, type JsonRecord, type JsonValue, memberOf, scalarText } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { countOf } from '../wording.ts'
import { systemOf } from './generated-objects.ts'
import type { SyncSystem } from './options.ts'

/** A folder of a git repository that an object deploys. */
interface DeployedFolder {
  readonly object: KrmObject
  readonly system: SyncSystem
  /** URL, branch and folder. */
  readonly place: string
  readonly folder: string
}

/**
 * Returns a warning if objects of two systems deploy one folder: each system takes the objects in the cluster from the other. Objects of a
 * system that was left still deploy until they are removed.
 *
 * @param made  the objects of this run, whose files no person has seen yet: the warning is at another one
 */
export function twoSystems(items: readonly KrmObject[], made: ReadonlySet<KrmObject> = new Set()): readonly Result[] {
  const present = items.filter((object) => systemOf(object) !== undefined)
  if (new Set(present.map(systemOf)).size < 2) return []
  const sources = new Map(
    present
      .filter(({ apiVersion = '' }) => apiVersion.startsWith('source.'))
      .map((object) => [`${object.kind ?? ''} ${sourceName(object)}`, object.toJson()]),
  )
  const folders = present.flatMap((object) => foldersOf(object, sources))
  const byPlace = groupBy(folders, ({ place }) => place)
  const shared = [...byPlace.values()].flatMap(([first, ...others]) => {
    const other = others.find(({ system }) => system !== first.system)
    return other === undefined ? [] : [{ first, other }]
  })
  const pairs = groupBy(shared, ({ first, other }) => `${first.system} ${other.system}`)
  return [...pairs.values()].map(([{ first, other }, ...more]): Result => {
    const what =
      more.length === 0
        ? `one folder, ${quoteText(first.folder)}`
        : `${countOf(more.length + 1, 'folder')}, the first is ${quoteText(first.folder)}`
    const object = made.has(other.object) ? first.object : other.object
    return {
      severity: 'warning',
      message: `two systems deploy ${what}: ${first.system} and ${other.system} take the objects in the cluster from each other; \`krm-variants sync DIR --leave ${first.system}\`, or --leave ${other.system}, takes one of the two away in two commits, and deletes nothing in a cluster`,
      resourceRef: object.ref,
      ...(object.file && { file: object.file, position: object.positionOf(['metadata', 'name']) }),
      tags: { rule: 'sync-two-systems' },
    }
  })
}

function sourceName({ namespace = '', name = '' }: Pick<KrmObject, 'namespace' | 'name'>): string {
  return `${namespace}/${name}`
}

function foldersOf(object: KrmObject, sources: ReadonlyMap<string, JsonRecord>): readonly DeployedFolder[] {
  const system = systemOf(object)
  const spec = asRecord(object.toJson().spec)
  if (system === undefined) return []
  const at = (url: JsonValue | undefined, branch: JsonValue | undefined, path: JsonValue | undefined): DeployedFolder[] => {
    const address = asUrl(scalarText(url)).replace(/\/*(\.git)?\/*$/, '')
    const folder = scalarText(path)
      .replace(/^(\.?\/)+|\/+$/g, '')
      .replace(/^\.$/, '')
    return address === '' ? [] : [{ object, system, place: `${address} ${scalarText(branch)} ${folder}`, folder: folder || '.' }]
  }
  if (object.kind === 'Kustomization') {
    const { kind, name, namespace } = asRecord(spec.sourceRef)
    const source = asRecord(
      sources.get(`${scalarText(kind)} ${sourceName({ namespace: scalarText(namespace) || object.namespace, name: scalarText(name) })}`)
        ?.spec,
    )
    const { branch, tag } = asRecord(source.ref)
    return at(source.url, tag ?? branch, spec.path)
  }
  if (object.kind === 'Application') {
    const { repoURL, targetRevision, path } = asRecord(spec.source)
    return at(repoURL, targetRevision, path)
  }
  if (object.kind === 'ApplicationSet') {
    const generators = asList(spec.generators)
    const elements = generators.flatMap((each: JsonValue) => memberOf(memberOf(each, 'list'), 'elements') ?? [])
    return elements.filter(isRecord).flatMap(({ url, branch, path }) => at(url, branch, path))
  }
  if (isRecord(spec.oci)) {
    const [, image = '', tag = ''] = /^(.*?)(?::([^:/]*))?$/.exec(scalarText(spec.oci.image)) ?? []
    return at(`oci://${image}`, tag, spec.oci.dir)
  }
  const { repo, branch, revision, dir } = asRecord(spec.git)
  return at(repo, revision ?? branch, dir)
}
