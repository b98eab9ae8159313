import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import type { GeneratedApplication } from '../../src/convert/applicationset/expand-set.ts'
import { matchesFilter } from '../../src/convert/applicationset/git-patterns.ts'
import { destinationOf, type SourcedApplication } from '../../src/convert/applicationset/place-applications.ts'
import { yamlDocument } from '../../src/convert/overlay-fields.ts'
import { realPlace } from '../../src/folder/inside-folder.ts'
import { isOutside } from '../../src/folder/staging.ts'
import { writeAt } from '../../src/folder/write-at.ts'
import { printAddress } from '../../src/git/git-address.ts'
import { readVendorObjects } from '../../src/intake/vendor-objects.ts'
import { asList, asRecord, isRecord, type JsonRecord, type JsonValue, scalarText } from '../../src/json.ts'
import { sha256Hex } from '../../src/kubernetes/truncated-name.ts'
import { FunctionError, hasErrors } from '../../src/result.ts'
import type { Host } from '../host.ts'
import { type Imported, readVendorSource } from '../import/import-sources.ts'
import { isFolder } from '../place-kind.ts'
import { UsageError } from '../usage-error.ts'
import { type SetFolder, sourcePath } from './applicationset-folder.ts'
import type { ConvertOptions } from './built-tree.ts'
import { kustomizationIn, outerBases } from './kustomize-tree.ts'

/** An Application with the objects that Argo CD would make of its source. */
export interface BuiltApplication extends SourcedApplication {
  readonly kind: 'directory' | 'kustomize' | 'helm'
}

/**
 * Returns the folder of the source of an Application and its upstream package.
 *
 * @throws FunctionError for a source that is not in the folder
 */
export function applicationSource(application: GeneratedApplication, folder: SetFolder): BuiltApplication {
  const { spec, fault } = application
  const source = asRecord(spec.source)
  const refuse = (field: string, message: string) => new FunctionError([fault(['spec', 'source', field], message)])
  if (destinationOf(application).text === '')
    throw new FunctionError([fault(['spec', 'destination'], 'must give the `server` or the `name` of a cluster, got neither')])
  const url = folder.refusedRepository(scalarText(source.repoURL))
  if (url !== undefined) throw refuse('repoURL', url)
  const revision = folder.refusedRevision(scalarText(source.targetRevision))
  if (revision !== undefined) throw refuse('targetRevision', revision)
  const path = sourcePath(scalarText(source.path))
  if (path === undefined) throw refuse('path', `must be a folder below the repository, got '${scalarText(source.path)}'`)
  if (!/^[a-z0-9./-]+$/.test(path))
    throw refuse('path', `must have only a-z, 0-9, '-', '.' and '/', as its package is called like it, got '${path}'; rename the folder`)
  const place = join(folder.root, path)
  if (!isFolder(place))
    throw refuse(
      'path',
      `must be a folder of '${folder.folder}', there is no '${path}'; --repo names the checkout of ${printAddress(scalarText(source.repoURL))}`,
    )
  if (isOutside(folder.root, realPlace(place)))
    throw refuse('path', `must be a folder of '${folder.folder}', '${path}' is a link that leaves it`)
  const kind = kindOf(source, path, folder)
  if (source.helm !== undefined && kind !== 'helm') throw refuse('helm', `must not be set for '${path}', which has no Chart.yaml`)
  if (source.directory !== undefined && Object.keys(asRecord(source.directory)).length > 0 && kind !== 'directory')
    throw refuse('directory', `must not be set for '${path}', which has a ${kind === 'helm' ? 'Chart.yaml' : 'kustomization'}`)
  return { application, path, kind, base: kind === 'kustomize' ? baseOf(folder, path) : path }
}

function kindOf(source: JsonRecord, path: string, { root, folder }: SetFolder): BuiltApplication['kind'] {
  if (isRecord(source.directory) && Object.keys(source.directory).length > 0) return 'directory'
  if (kustomizationIn(folder, root, path) !== undefined) return 'kustomize'
  return existsSync(join(root, path, 'Chart.yaml')) ? 'helm' : 'directory'
}

/** Returns the base of an overlay with one base, so that its overlays share a package; else the folder itself. */
function baseOf({ root, folder }: SetFolder, path: string): string {
  const [base, ...others] = outerBases(folder, root, path)
  return base === undefined || others.length > 0 ? path : base
}

/** Returns the objects of the source of an Application. @throws FunctionError, UsageError for sources that cannot be built */
export async function buildSource(
  built: BuiltApplication,
  { root, folder, files }: SetFolder,
  options: ConvertOptions,
  host: Host,
): Promise<Imported> {
  const { path, kind } = built
  if (kind === 'directory') return readDirectory(built, root, files)
  if (options.allowExec !== true)
    throw new UsageError(`'${posix.join(folder, path)}' needs --allow-exec: ${kind} builds it, a program of this machine`)
  const own = buildOptions(options, host)
  return kind === 'kustomize' ? buildBase(path, { root }, options, host) : renderChart(built, own, hostIn(root, host))
}

/** Returns the objects that kustomize builds of a folder of the repository. @throws UsageError if kustomize fails */
export function buildBase(base: string, { root }: Pick<SetFolder, 'root'>, options: ConvertOptions, host: Host): Promise<Imported> {
  return readVendorSource('app', { ...buildOptions(options, host), kustomize: base }, hostIn(root, host))
}

/** Returns the options of a build, in which a program that is named by its path is the one that the user's folder has. */
function buildOptions({ helmBinary = 'helm', kustomizeBinary, ...options }: ConvertOptions, host: Host) {
  const placeOf = (program: string) => (program.includes('/') ? host.locate(program) : program)
  const own = { ...options, hooks: 'keep', helmBinary: placeOf(helmBinary) } as const
  return kustomizeBinary === undefined ? own : { ...own, kustomizeBinary: placeOf(kustomizeBinary) }
}

/** Returns the host with paths relative to the repository. */
function hostIn(root: string, host: Host): Host {
  return { ...host, locate: (name) => (name.startsWith('/') ? name : join(root, name)) }
}

/** Reads the manifests that Argo CD applies of a folder: those directly in it, with `recurse` those of its folders too. */
function readDirectory({ application, path }: BuiltApplication, root: string, files: readonly string[]): Imported {
  const { recurse, include, exclude } = asRecord(asRecord(application.spec.source).directory)
  const own = files.filter((file) => file.startsWith(`${path}/`)).map((file) => file.slice(path.length + 1))
  const wanted = own.filter((file) => {
    if (!/\.(?:ya?ml|json)$/.test(file) || (recurse !== true && file.includes('/'))) return false
    const [included, excluded] = [scalarText(include), scalarText(exclude)]
    return (included === '' || matchesFilter(included, file)) && (excluded === '' || !matchesFilter(excluded, file))
  })
  const texts = wanted.map((file) => ({ name: posix.join(path, file), bytes: readFileSync(join(root, path, file)) }))
  const { objects, results } = readVendorObjects(texts)
  if (hasErrors(results)) throw new FunctionError(results)
  if (objects.length === 0)
    throw new FunctionError([
      application.fault(['spec', 'source', 'path'], `must be a folder with manifests, '${path}' has none that Argo CD applies`),
    ])
  const sha256 = sha256Hex(texts.map(({ bytes }) => sha256Hex(bytes)).join('\n'))
  return { objects, results: [], origin: { source: 'manifest', name: path, sha256 } }
}

/** Renders a chart as Argo CD does: files of values, then `values`, then `parameters`. */
async function renderChart(
  { application, path }: BuiltApplication,
  options: Parameters<typeof readVendorSource>[1],
  host: Host,
): Promise<Imported> {
  const helm = asRecord(asRecord(application.spec.source).helm)
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-values-'))
  try {
    const given = valuesOf(helm, application).map((text, index) => {
      const file = join(folder, `${index}.yaml`)
      writeAt(file, text)
      return file
    })
    const files = valueFiles(helm, path, application, host)
    const kubeVersion = scalarText(helm.kubeVersion)
    const apiVersions = Array.isArray(helm.apiVersions) ? helm.apiVersions.map(scalarText) : []
    const namespace = scalarText(helm.namespace) || destinationOf(application).namespace || 'default'
    const asked = {
      ...options,
      helm: path,
      values: [...files, ...given],
      namespace,
      ...(kubeVersion !== '' && { kubeVersion }),
      apiVersions,
    }
    const release = scalarText(helm.releaseName) || application.name
    return await readVendorSource(release, asked, host)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function valueFiles(helm: JsonRecord, path: string, { fault }: GeneratedApplication, host: Host): readonly string[] {
  return asList(helm.valueFiles)
    .map(scalarText)
    .flatMap((file, index) => {
      const refuse = (message: string) => new FunctionError([fault(['spec', 'source', 'helm', 'valueFiles', index], message)])
      if (/^\$|^[a-z]+:\/\//.test(file)) throw refuse(`must be a file of the repository, got '${file}'`)
      const own = file.startsWith('/') ? sourcePath(file) : sourcePath(posix.join(path, file))
      if (own === undefined) throw refuse(`must be a file of the repository, '${file}' leaves it`)
      if (existsSync(host.locate(own))) return [own]
      if (helm.ignoreMissingValueFiles === true) return []
      throw refuse(`must be a file of the repository, there is no '${own}'`)
    })
}

function valuesOf(helm: JsonRecord, application: GeneratedApplication): readonly string[] {
  const { values, valuesObject, parameters } = helm
  const own = isRecord(valuesObject) && Object.keys(valuesObject).length > 0 ? yamlDocument(valuesObject) : scalarText(values)
  const set = asList(parameters).map((each, index) => yamlDocument(parameterOf(asRecord(each), index, application)))
  return [...(own === '' ? [] : [own]), ...set]
}

/** Returns the values of `--set NAME=VALUE` for a name of keys. */
function parameterOf({ name, value, forceString }: JsonRecord, index: number, { fault }: GeneratedApplication): JsonRecord {
  const keys = scalarText(name).split('.')
  const text = scalarText(value)
  if (!keys.every((key) => /^[\w-]+$/.test(key)) || /[,{}[\]\\]/.test(text))
    throw new FunctionError([
      fault(['spec', 'source', 'helm', 'parameters', index], 'must be a name of keys and a plain value: write others into `valuesObject`'),
    ])
  const typed = forceString === true ? text : typedValue(text)
  return asRecord(keys.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), typed))
}

/** Returns a value as `--set` of Helm reads it. */
function typedValue(text: string): JsonValue {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  return /^(?:0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}
