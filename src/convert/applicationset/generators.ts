import type { FieldPath } from '../../field-path.ts'
import { printAddress } from '../../git/git-address.ts'
import { asList, asRecord, compactJson, equalJson, isRecord, type JsonRecord, type JsonValue, lookup, scalarText } from '../../json.ts'
import { type LabelRequirement, type LabelSelector, matchesSelector } from '../../kubernetes/label-selector.ts'
import { isLabelKey } from '../../kubernetes/names.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { isReachedBy, matchesDirectory } from './git-patterns.ts'
import { listParams, requireList } from './list-generator.ts'
import { goText, sanitizedName, TemplateFault } from './template-functions.ts'
import { FieldFault, renderValue, type TemplateDialect } from './template-text.ts'
import { TEXT_MAPS, textMap } from './text-maps.ts'

/** A cluster that Argo CD knows by a Secret. */
export interface ArgoCluster {
  readonly name: string
  readonly server: string
  readonly project: string
  readonly labels: ReadonlyMap<string, string>
  readonly annotations: ReadonlyMap<string, string>
}

export interface GeneratorData {
  /** The folder, for messages. */
  readonly folder: string
  readonly clusters: readonly ArgoCluster[]
  /** Paths of all files, relative to the root of the git repository. */
  readonly files: readonly string[]
  /** Returns the objects of a JSON or YAML file: one, or those of a list. @throws Error with the reason */
  readonly objectsOf: (path: string) => readonly JsonRecord[]
  /** Returns why a git repository is not the one whose files are here; undefined if it is. */
  readonly refusedRepository: (url: string) => string | undefined
  /** Returns why a revision is not that of the files; undefined if it is. */
  readonly refusedRevision: (revision: string) => string | undefined
}

/** The local cluster, which needs no Secret. */
export const LOCAL_CLUSTER: ArgoCluster = {
  name: 'in-cluster',
  server: 'https://kubernetes.default.svc',
  project: '',
  labels: new Map(),
  annotations: new Map(),
}

/** Returns the parameters that a generator of an ApplicationSet makes, a record for each Application. @throws FieldFault */
export function generatedParams(
  generator: JsonRecord,
  path: FieldPath,
  dialect: TemplateDialect,
  data: GeneratorData,
): readonly JsonRecord[] {
  const [kind = '', ...others] = Object.keys(generator).filter((key) => Object.hasOwn(KINDS, key))
  if (others.length > 0)
    throw new FieldFault(path, `must be one generator, got ${kind} and ${others.join(', ')}: give each an entry of its own`)
  const generate = KINDS[kind]
  if (generate === undefined) throw new FieldFault(path, 'must be a generator: list, clusters, git, matrix or merge')
  const params = generate(asRecord(generator[kind]), [...path, kind], dialect, data)
  if (!isRecord(generator.selector)) return params
  const selector = selectorOf(generator.selector, [...path, 'selector'])
  const keys = new Set([...selector.matchLabels.keys(), ...selector.matchExpressions.map(({ key }) => key)])
  return params.filter((each) => matchesSelector(selector, new Map(labelsOfParams(each, keys))))
}

/**
 * Returns parameters as the labels that the `selector` of a generator chooses by, as Argo CD flattens them: `{a: {b: 1}, c: [x]}` → `a.b`
 * 1, `c.0` x. A map of texts alone, such as the labels of a cluster, is one text there.
 *
 * @param keys  the labels that are asked for
 */
function labelsOfParams(value: JsonValue, keys: ReadonlySet<string>, path: FieldPath = []): readonly (readonly [string, string])[] {
  const isContainer = typeof value === 'object' && value !== null
  if (isContainer && !TEXT_MAPS.has(value))
    return Object.entries(value).flatMap(([key, each]) => labelsOfParams(each, keys, [...path, key]))
  const key = path.join('.')
  if (!keys.has(key)) return []
  if (!isContainer) return [[key, value === null ? '<nil>' : goText(value)]]
  if (Array.isArray(value)) return [[key, `[${value.join(' ')}]`]]
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [[key, `map[${entries.map(([name, each]) => `${name}:${scalarText(each)}`).join(' ')}]`]]
}

type Generate = (own: JsonRecord, path: FieldPath, dialect: TemplateDialect, data: GeneratorData) => readonly JsonRecord[]

const KINDS: Readonly<Record<string, Generate>> = { list: listParams, clusters, git, matrix, merge }

function clusters({ selector, values }: JsonRecord, path: FieldPath, dialect: TemplateDialect, data: GeneratorData): readonly JsonRecord[] {
  const wanted = selectorOf(asRecord(selector), [...path, 'selector'])
  const isPlain = wanted.matchLabels.size === 0 && wanted.matchExpressions.length === 0
  const hasLocal = data.clusters.some(({ server }) => server === LOCAL_CLUSTER.server)
  const all = [...(isPlain && !hasLocal ? [LOCAL_CLUSTER] : []), ...data.clusters]
  const found = all.filter(({ labels }) => isPlain || matchesSelector(wanted, labels))
  if (found.length === 0 && data.clusters.length === 0)
    throw new FieldFault(
      path,
      `must match clusters, and '${data.folder}' has no Secret with the label 'argocd.argoproj.io/secret-type: cluster'`,
    )
  return found.map((cluster) => {
    const { name, server, project, labels, annotations } = cluster
    const own = { name, nameNormalized: sanitizedName(name), server, project }
    // The local cluster has no labels; a name of one is no parameter then.
    const maps = cluster === LOCAL_CLUSTER ? {} : { labels: textMap(labels), annotations: textMap(annotations) }
    const flat = Object.entries(maps).flatMap(([kind, map]) =>
      Object.entries(map).map(([key, value]) => [`metadata.${kind}.${key}`, value]),
    )
    const params = dialect.goTemplate ? { ...own, metadata: maps } : { ...own, ...Object.fromEntries(flat) }
    return withValues(params, values, [...path, 'values'], dialect)
  })
}

function selectorOf(selector: JsonRecord, path: FieldPath): LabelSelector {
  const matchExpressions = asList(selector.matchExpressions).map((each, index): LabelRequirement => {
    const { key, operator, values } = asRecord(each)
    const own = [...path, 'matchExpressions', index]
    if (!isLabelKey(scalarText(key))) throw new FieldFault([...own, 'key'], `must be the key of a label, got ${quoteText(scalarText(key))}`)
    if (operator !== 'In' && operator !== 'NotIn' && operator !== 'Exists' && operator !== 'DoesNotExist')
      throw new FieldFault([...own, 'operator'], 'must be one of In, NotIn, Exists, DoesNotExist')
    const texts = Array.isArray(values) ? values.map(scalarText) : []
    const needsValues = operator === 'In' || operator === 'NotIn'
    if (needsValues !== texts.length > 0)
      throw new FieldFault([...own, 'values'], `must have ${needsValues ? 'a value' : 'no values'} with the operator ${operator}`)
    return { key: scalarText(key), operator, values: texts }
  })
  const matchLabels = new Map(Object.entries(asRecord(selector.matchLabels)).map(([key, value]) => [key, scalarText(value)]))
  return { matchLabels, matchExpressions }
}

/** Adds the `values` of a generator, whose texts may name its other parameters. */
function withValues(params: JsonRecord, values: JsonValue | undefined, path: FieldPath, dialect: TemplateDialect): JsonRecord {
  if (values === undefined) return params
  const rendered = asRecord(renderValue(values, params, dialect, path))
  // The `values` of a generator replace those that a file has.
  if (dialect.goTemplate) return Object.keys(rendered).length === 0 ? params : { ...params, values: textMap(Object.entries(rendered)) }
  return { ...params, ...Object.fromEntries(Object.entries(rendered).map(([key, value]) => [`values.${key}`, value])) }
}

function git(own: JsonRecord, path: FieldPath, dialect: TemplateDialect, data: GeneratorData): readonly JsonRecord[] {
  for (const [field, refused] of [
    ['repoURL', data.refusedRepository(scalarText(own.repoURL))],
    ['revision', data.refusedRevision(scalarText(own.revision))],
  ] as const)
    if (refused !== undefined) throw new FieldFault([...path, field], refused)
  if (own.directories === undefined && own.files === undefined)
    throw new FieldFault(path, 'must have `directories` or `files`, got neither')
  const [kind, found] =
    own.directories === undefined
      ? (['files', filesOf(own, path, data)] as const)
      : (['directories', directoriesOf(own, path, data)] as const)
  if (found.length === 0)
    throw new FieldFault(
      [...path, kind],
      `must match something of '${printAddress(scalarText(own.repoURL))}' in '${data.folder}', got no ${kind === 'files' ? 'file' : 'folder'}; --repo names its checkout`,
    )
  const prefix = scalarText(own.pathParamPrefix)
  return found.flatMap((each) => {
    const sets = kind === 'directories' ? [{}] : fileParams(each, path, data)
    return sets.map((params) => withValues(withPath(params, each, kind, prefix, dialect), own.values, [...path, 'values'], dialect))
  })
}

function patterns(value: JsonValue | undefined, path: FieldPath) {
  return requireList(value, path).map((each) => ({ pattern: scalarText(asRecord(each).path), isExcluded: asRecord(each).exclude === true }))
}

function directoriesOf({ directories }: JsonRecord, path: FieldPath, { files }: GeneratorData): readonly string[] {
  const folders = new Set(files.flatMap((file) => file.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))))
  const wanted = patterns(directories, [...path, 'directories'])
  const has = (folder: string, isExcluded: boolean) =>
    wanted.some((each) => each.isExcluded === isExcluded && matchesDirectory(each.pattern, folder))
  return [...folders].filter((folder) => folder !== '' && has(folder, false) && !has(folder, true)).toSorted()
}

function filesOf({ files: asked }: JsonRecord, path: FieldPath, { files }: GeneratorData): readonly string[] {
  const all = patterns(asked, [...path, 'files'])
  const reached = (isExcluded: boolean) =>
    new Set(
      all.flatMap(({ pattern, isExcluded: own }, index) => {
        if (own !== isExcluded) return []
        const [old, current] = [
          files.filter((file) => isReachedBy(pattern, file, 'old')),
          files.filter((file) => isReachedBy(pattern, file, 'new')),
        ]
        if (!equalJson(old, current))
          throw new FieldFault(
            [...path, 'files', index, 'path'],
            `must match the same files with both globs of Argo CD, got ${old.length} with the old one and ${current.length} with the new one`,
          )
        return old
      }),
    )
  const excluded = reached(true)
  return [...reached(false)].filter((file) => !excluded.has(file)).toSorted()
}

function fileParams(file: string, path: FieldPath, { objectsOf }: GeneratorData): readonly JsonRecord[] {
  try {
    return objectsOf(file)
  } catch (error) {
    throw new FieldFault(
      [...path, 'files'],
      `must name files with a map or a list of maps, '${file}' ${error instanceof Error ? error.message : ''}`,
    )
  }
}

/** Adds the parameters about the path of a folder or file. */
function withPath(
  params: JsonRecord,
  found: string,
  kind: 'files' | 'directories',
  prefix: string,
  { goTemplate }: TemplateDialect,
): JsonRecord {
  const path = kind === 'files' ? found.split('/').slice(0, -1).join('/') || '.' : found
  const [segments, basename] = [path.split('/'), path.split('/').at(-1) ?? '']
  const filename = found.split('/').at(-1) ?? ''
  const own: JsonRecord = {
    path,
    basename,
    basenameNormalized: sanitizedName(basename),
    ...(kind === 'files' && { filename, filenameNormalized: sanitizedName(filename) }),
  }
  if (goTemplate) {
    const whole = { ...own, segments }
    TEXT_MAPS.add(segments)
    return { ...params, ...(prefix === '' ? { path: whole } : { [prefix]: { path: whole } }) }
  }
  const name = prefix === '' ? 'path' : `${prefix}.path`
  const flat = Object.entries(own).map(([key, value]) => [key === 'path' ? name : `${name}.${key}`, value])
  return { ...flattened(params), ...Object.fromEntries([...flat, ...segments.map((each, index) => [`${name}[${index}]`, each])]) }
}

/** Returns the scalars of a map by their paths: `{cluster: {name: a}}` → `cluster.name`. */
function flattened(value: JsonRecord, prefix = ''): JsonRecord {
  const entries = Object.entries(value).flatMap(([key, each]): (readonly [string, JsonValue])[] => {
    const name = `${prefix}${key}`
    if (Array.isArray(each)) return Object.entries(flattened(Object.fromEntries(each.entries()), `${name}.`))
    if (isRecord(each)) return Object.entries(flattened(each, `${name}.`))
    return [[name, typeof each === 'string' ? each : plainText(each)]]
  })
  const flat = Object.fromEntries(entries)
  const [twice] = entries.find(([name, each]) => flat[name] !== each) ?? []
  if (twice !== undefined)
    throw new TemplateFault(`must give the parameter '${twice}' once, by a key with dots or by an inner map, got two values`)
  return flat
}

function plainText(value: JsonValue): string {
  if (typeof value === 'number' && Math.abs(value) >= 1e6)
    throw new TemplateFault(`must use texts for numbers that Go writes with an exponent, got ${value}`)
  return String(value)
}

/** Each record of the first generator with each of the next, whose texts may name parameters of the first. */
function matrix({ generators }: JsonRecord, path: FieldPath, dialect: TemplateDialect, data: GeneratorData): readonly JsonRecord[] {
  const all = requireList(generators, [...path, 'generators'])
  if (all.length !== 2) throw new FieldFault([...path, 'generators'], `must be two generators, got ${all.length}`)
  const paths = [0, 1].map((index) => [...path, 'generators', index])
  const [one, other] = all.map(asRecord)
  return generatedParams(one ?? {}, paths[0] ?? [], dialect, data).flatMap((params) => {
    // The selector chooses by its own text, in which Argo CD renders nothing.
    const { selector, ...second } = other ?? {}
    const own = { ...asRecord(renderValue(second, params, { ...dialect, keepsUnknown: true }, paths[1])), ...(selector && { selector }) }
    return generatedParams(own, paths[1] ?? [], dialect, data).map((more) => {
      if (dialect.goTemplate) return overridden(more, params)
      const twice = Object.keys(more).find((key) => params[key] !== undefined && params[key] !== more[key])
      if (twice !== undefined)
        throw new FieldFault(paths[1] ?? [], `must not give the parameter '${twice}' another value than the first generator does`)
      return { ...params, ...more }
    })
  })
}

/** The records of the first generator, changed by those of the others that have the same values of the keys. */
function merge(
  { generators, mergeKeys }: JsonRecord,
  path: FieldPath,
  dialect: TemplateDialect,
  data: GeneratorData,
): readonly JsonRecord[] {
  const keys = requireList(mergeKeys, [...path, 'mergeKeys']).map(scalarText)
  const keyOf = (params: JsonRecord) => compactJson(keys.map((key) => lookup(params, key) ?? null))
  const sets = requireList(generators, [...path, 'generators']).map((each, index) => {
    const own = [...path, 'generators', index]
    const params = generatedParams(asRecord(each), own, dialect, data)
    const twice = params.find((one, at) => params.findIndex((other) => keyOf(other) === keyOf(one)) !== at)
    if (twice !== undefined)
      throw new FieldFault(own, `must give each value of the merge keys ${keys.join(', ')} once, got ${keyOf(twice)} twice`)
    return new Map(params.map((each) => [keyOf(each), each]))
  })
  const [first = new Map<string, JsonRecord>(), ...others] = sets
  if (others.length === 0) throw new FieldFault([...path, 'generators'], `must be two generators or more, got ${sets.length}`)
  if (keys.length === 0) throw new FieldFault([...path, 'mergeKeys'], 'must name the parameters by which the records are merged, got none')
  return [...first].map(([key, params]) => {
    let merged = params
    for (const set of others) merged = dialect.goTemplate ? overridden(merged, set.get(key) ?? {}) : { ...merged, ...set.get(key) }
    return merged
  })
}

/** Returns parameters with those of another generator over them, in inner maps too. Empty values win as others do. @throws TemplateFault */
function overridden(params: JsonRecord, over: JsonRecord): JsonRecord {
  const entries = Object.entries(over).map(([key, value]): [string, JsonValue] => {
    const own = lookup(params, key)
    if (!isRecord(own) || !isRecord(value)) return [key, value]
    const isText = TEXT_MAPS.has(own)
    if (isText && !TEXT_MAPS.has(value) && Object.keys(value).length > 0)
      throw new TemplateFault(
        `must not put the map '${key}' of a list or file over that of a clusters or git generator, which Argo CD cannot merge: give one another name`,
      )
    const merged = overridden(own, value)
    return [key, isText ? textMap(Object.entries(merged)) : merged]
  })
  return { ...params, ...Object.fromEntries(entries) }
}
