import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { attempt } from '../../src/attempt.ts'
import { readArgoYaml } from '../../src/convert/applicationset/argocd-yaml.ts'
import type { ArgoCluster, GeneratorData } from '../../src/convert/applicationset/generators.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { readDocuments } from '../../src/folder/read-package-file.ts'
import { remoteAddress } from '../../src/git/fleet-identity.ts'
import { asUrl, printAddress } from '../../src/git/git-address.ts'
import { GitError } from '../../src/git/run-git.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue, scalarText } from '../../src/json.ts'
import { appliedObjects } from '../../src/resource-list/applied-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { duplicateKeyResults } from '../../src/schema/document-faults.ts'
import { shellPattern } from '../../src/shell-word.ts'
import type { Host } from '../host.ts'
import { isFolder } from '../place-kind.ts'
import { UsageError } from '../usage-error.ts'
import { filesBelow } from './write-fleet.ts'

/** The checkout of the git repository that ApplicationSets read, with the data of their generators. */
export interface SetFolder extends GeneratorData {
  readonly root: string
  readonly sets: readonly KrmObject[]
}

/**
 * Reads ApplicationSets, and the folder that they take for their git repository: `repo`, else the one around the first file that is in git,
 * else the folder of the first file.
 *
 * @param out  the fleet, which is no data even if it is in the folder
 * @throws UsageError for files that are not there; FunctionError for those that cannot be read
 */
export function readSetFolder(files: readonly string[], out: string, repo: string | undefined, host: Host): SetFolder {
  const sets = files.flatMap((file) => setsOf(file, host))
  if (sets.length === 0)
    throw new UsageError(`convert applicationset must be given an ApplicationSet, there is none in ${files.join(', ')}`)
  const shown = repo ?? checkoutOf(files[0] ?? '', host)
  const root = realPlace(host.locate(shown))
  if (!isFolder(root)) throw new UsageError(`\`--repo\` must name the checkout of a git repository, there is no folder '${shown}'`)
  const fleet = relative(root, realPlace(host.locate(out)))
  const paths = filesBelow(root).filter((path) => !path.startsWith(`${fleet}/`) && !path.includes('node_modules/'))
  return {
    root,
    sets,
    folder: shown,
    files: paths.filter((path) => !path.split('/').some((part) => part.startsWith('.'))),
    clusters: clustersIn(root, paths),
    objectsOf: (path) => objectsOf(readFileSync(join(root, path), 'utf8'), path),
    ...revisionsOf(root, shown),
  }
}

function setsOf(file: string, host: Host): readonly KrmObject[] {
  const place = host.locate(file)
  const found = statSync(place, { throwIfNoEntry: false })
  if (found === undefined) throw new UsageError(`convert applicationset must be given files, there is no '${file}'`)
  if (!found.isFile())
    throw new UsageError(
      `convert applicationset must be given files, '${file}' is a folder: krm-variants convert applicationset ${shellPattern(posix.join(file, '*.yaml'))}`,
    )
  const { objects, faults } = objectsIn(file, readFileSync(place), ({ kind }) => kind === 'ApplicationSet')
  if (hasErrors(faults)) throw new FunctionError(faults)
  return objects
}

/**
 * Returns the objects of a file that are asked for, also those in Lists. Every other document, such as a patch or a kustomization, is left
 * alone.
 *
 * @returns the faults are those of the objects, and of parts of the file that cannot be read
 */
function objectsIn(path: string, bytes: Buffer, isAsked: (object: KrmObject) => boolean) {
  const { documents, results, unread } = readDocuments(path, bytes.toString('utf8'))
  const objects = documents.flatMap(({ object }) => (object === undefined ? [] : appliedObjects(object).filter(isAsked)))
  const errors = unread.map((result): Result => ({ ...result, severity: 'error' }))
  return { objects, faults: [...results, ...errors, ...duplicateKeyResults(objects)] }
}

/** Returns the folder of the checkout around a file; without one the folder of the file. */
export function checkoutOf(file: string, host: Host): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(host.locate(folder), '.git'))) return folder
    if (folder === dirname(folder)) return dirname(file)
  }
}

/** The label with which Argo CD finds the Secrets of clusters. */
const SECRET_TYPE = 'argocd.argoproj.io/secret-type'

/** Returns the clusters of the Secrets with the label of Argo CD, by name. @throws UsageError for a Secret without a name or server */
function clustersIn(root: string, paths: readonly string[]): readonly ArgoCluster[] {
  const files = paths.filter((path) => /\.(?:ya?ml|json)$/.test(path))
  const found = files.flatMap((path) => clusterSecrets(path, readFileSync(join(root, path))).map((secret) => clusterOf(secret, path)))
  const clusters = found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const twice = clusters.find(({ name }, index) => clusters[index + 1]?.name === name)
  if (twice !== undefined) throw new UsageError(`two Secrets of clusters have the name '${twice.name}': Argo CD would take one of them`)
  return clusters
}

/**
 * Returns the Secrets of clusters in a file. Patches, values and other documents that name the label are none, and neither are templates of
 * charts.
 *
 * @throws FunctionError for a file that may hold such a Secret and cannot be read
 */
function clusterSecrets(path: string, bytes: Buffer): readonly KrmObject[] {
  if (!bytes.includes(SECRET_TYPE)) return []
  const { objects, faults } = objectsIn(path, bytes, isClusterSecret)
  if (hasErrors(faults) && !bytes.includes('{{')) throw new FunctionError(faults)
  return objects.filter((secret) => !secret.toText().includes('{{'))
}

function isClusterSecret({ kind, labels }: KrmObject): boolean {
  return kind === 'Secret' && labels.get(SECRET_TYPE) === 'cluster'
}

function clusterOf(secret: KrmObject, path: string): ArgoCluster {
  const text = (key: string) => {
    const plain = scalarText(asRecord(secret.get(['stringData']))[key])
    return plain === '' ? Buffer.from(scalarText(asRecord(secret.get(['data']))[key]), 'base64').toString() : plain
  }
  const [name, server] = [text('name'), text('server')]
  if (name === '' || server === '')
    throw new UsageError(
      `the Secret '${secret.name ?? ''}' of a cluster in ${path} must have ${name === '' ? '`name`' : '`server`'} in its data`,
    )
  const { labels, annotations } = secret
  return { name, server, project: text('project'), labels, annotations }
}

/** @throws Error for a text that is neither a map nor a list of maps */
function objectsOf(text: string, path: string): readonly JsonRecord[] {
  const value: JsonValue = path.endsWith('.json') ? JSON.parse(text) : readArgoYaml(text)
  const all = Array.isArray(value) ? value : [value]
  if (!all.every(isRecord)) throw new Error('is neither')
  return all
}

/**
 * Returns the tests of what sets ask for: the files are of the repository of git's remote, or without a remote of the first repository that
 * a set names, and of the only revision that all sets name.
 */
function revisionsOf(root: string, shown: string): Pick<GeneratorData, 'refusedRepository' | 'refusedRevision'> {
  let [url, revision] = [remoteOf(root), '']
  return {
    refusedRepository: (asked) => {
      if (asked === '') return 'must be the address of a git repository'
      url ??= asked
      if (sameRepository(url, asked)) return undefined
      return `must be the repository of '${shown}', ${printAddress(url)}: data of another repository is not here, and convert asks no server; got '${printAddress(asked)}'`
    },
    refusedRevision: (asked) => {
      if (asked === '' || asked === 'HEAD') return undefined
      if (revision === '') revision = asked
      return revision === asked ? undefined : `must be the revision that '${shown}' has, ${revision}: the files of '${asked}' are not here`
    },
  }
}

/** Returns the address of the remote of a checkout, which may be a worktree; undefined for any other folder. */
function remoteOf(root: string): string | undefined {
  return existsSync(join(root, '.git')) ? attempt(() => remoteAddress({ dir: root }), GitError) : undefined
}

/** Returns true for two addresses of one repository: the protocol, the user and `.git` make no difference. */
function sameRepository(one: string, other: string): boolean {
  const plain = (address: string) =>
    asUrl(address)
      .replace(/^[a-z+]+:\/\/(?:[^@/]*@)?/, '')
      .replace(/(?:\.git)?\/*$/, '')
      .toLowerCase()
  return plain(one) === plain(other)
}

/** Returns the path of a source without `./` and slashes at its end; undefined for one that leaves the repository, or is all of it. */
export function sourcePath(path: string): string | undefined {
  const plain = posix.normalize(path).replaceAll(/^\/+|\/+$/g, '')
  return plain === '.' || plain === '' || plain.startsWith('..') ? undefined : plain
}
