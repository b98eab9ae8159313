import { type Command, Option } from 'commander'
import { revisionChanges } from '../../src/diff/package-changes.ts'
import type { NewerRevision } from '../../src/fleet/releases/newer-revisions.ts'
import { type StagedFile, Staging } from '../../src/folder/staging.ts'
import type { WholeFolder } from '../../src/folder/whole-folder.ts'
import {
  editedPackage,
  hasSetters,
  type ImportOrigin,
  isSameImport,
  kptfileOfPackage,
  nextRevision,
  objectsOfRevision,
  originOf,
  type RevisionFiles,
} from '../../src/intake/next-revision.ts'
import { readSetterPlace, type SetterPlace } from '../../src/intake/setter-places.ts'
import { printable } from '../../src/printable.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { FunctionError, hasErrors } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { gitTimeoutOption } from '../git-timeout.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { newerUpstreams } from '../outdated/asked-revisions.ts'
import { printResults } from '../print/print-results.ts'
import { printChange } from '../print/print-value.ts'
import { errorStylesFor, stylesFor } from '../print/styles.ts'
import { programSeconds } from '../seconds.ts'
import { UsageError } from '../usage-error.ts'
import { importCommand } from './import-command.ts'
import { type ImportPlace, importPlace } from './import-place.ts'
import { readVendorSource, type SourceOptions } from './import-sources.ts'
import { changesText, raisableText, readRevisionFiles } from './import-text.ts'
import { readPackageSource } from './package-sources.ts'
import { sourceAdvice } from './suggested-import.ts'
import { suggestedSetters } from './suggested-setters.ts'

interface ImportOptions extends SourceOptions {
  readonly as?: string
  readonly setters?: readonly string[]
  readonly suggest?: boolean
  readonly gitTimeout?: number
  readonly dryRun?: boolean
  readonly color?: boolean
}

const NOTES = `
Each object gets a file of its own, KIND-NAME.yaml, with definitions in crds/. The next import makes the next revision: objects stay in their
files, and setter comments, the Kptfile and files of yours stay as they are. It prints which objects differ, what is dangerous, and which sets
may be raised. The same input again changes nothing. No file is ever overwritten.

A chart is rendered twice, with the name of the package as release and namespace. What differs is random, and an error. Hooks are left out and
named. With --suggest and two --values, the chart is rendered with the first and with both, and what differs is listed.

Exit code: 0 done, or nothing to do; 1 an error, nothing was written; with --dry-run also 2, a revision would be written.

Examples:
  krm-variants import --manifest cert-manager.yaml --as catalog/cert-manager
  kubectl kustomize web | krm-variants import --manifest - --as catalog/web
  krm-variants import --helm charts/web-1.4.0.tgz --values web.yaml --allow-exec --as catalog/web
  krm-variants import --helm charts/web --allow-exec --as catalog/web --setters replicas=spec.replicas@Deployment/web
  krm-variants import --package https://git.example.com/catalog.git/web@v1.2 --as catalog/web
  krm-variants import --helm charts/web --allow-exec --values staging.yaml prod.yaml --suggest`

/** Adds `import SOURCE --as CATALOG/NAME[@REVISION]`: makes an upstream package, or its next revision, from what vendors publish. */
export function addImport(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  program
    .command('import')
    .description('make an upstream package, or its next revision, of release manifests, a Helm chart, a kustomization or a kpt package')
    .option('--manifest <file...>', 'files with objects, as a vendor publishes them, - for stdin')
    .option('--helm <chart>', 'the folder or .tgz of a chart, rendered by helm template; with --allow-exec')
    .option('--kustomize <dir>', 'a folder built by kustomize, or by kubectl kustomize; with --allow-exec')
    .option('--package <dir|git>', 'a kpt package: a folder, or ADDRESS.git/FOLDER@REVISION')
    .option('--as <catalog/name[@revision]>', 'where the package is written; without a revision the one after the newest')
    .option('--values <file...>', 'with --helm, files of values; their content is not printed')
    .option('--namespace <name>', 'with --helm, the namespace of the release; default: the name of the package')
    .option('--kube-version <version>', 'with --helm, the version of Kubernetes that the chart sees')
    .option('--api-versions <version...>', 'with --helm, API versions that the chart sees beside those of Kubernetes')
    .addOption(new Option('--hooks <what>', 'with --helm, what becomes of hooks').choices(['leave-out', 'keep']).default('leave-out'))
    .option('--helm-binary <path>', 'the program helm', 'helm')
    .option('--kustomize-binary <path>', 'the program kustomize')
    .option('--enable-helm', 'let kustomize run helm for helmCharts; charts that are not in the folder are pulled into it')
    .option('--allow-exec', 'run helm, kustomize or kubectl, programs of this machine')
    .option('--function-timeout <seconds>', 'how long one run of such a program may take; default: 300', programSeconds)
    .addOption(gitTimeoutOption())
    .option('--setters <setter...>', 'fields that differ by cluster, NAME=PATH@KIND/OBJECT each: they get the comment of a setter')
    .option('--suggest', 'with --helm, list the fields that the files of --values change, and write nothing')
    .option('--dry-run', 'print what would be written, and write nothing')
    .option('--color', 'use colors, also when no terminal reads it')
    .option('--no-color', 'use no colors, as with NO_COLOR')
    .addHelpText('after', NOTES)
    .allowExcessArguments()
    .action(async (options: ImportOptions, { args: [source] }: Command) => {
      if (source !== undefined) throw new UsageError(sourceAdvice(source, options.as, host))
      finish(await importPackage(options, host))
    })
}

const SOURCES = ['manifest', 'helm', 'kustomize', 'package'] as const

async function importPackage(options: ImportOptions, host: Host): Promise<ExitCode> {
  refuseTogether(options)
  if (options.suggest === true) return suggest(options, host)
  const { as, setters = [], dryRun = false } = options
  if (as === undefined) throw new UsageError('`--as` must say where the package is written, such as --as catalog/web')
  const places = setters.map(setterPlace)
  const place = importPlace(as, host)
  const act = () => importInto(place, places, options, host)
  return holdingFolders({ dirs: ['.'], isWriting: !dryRun }, host, act)
}

/** @throws UsageError for no source or several, and for options of another source */
function refuseTogether(options: ImportOptions): void {
  const given = SOURCES.filter((source) => options[source] !== undefined)
  const all = SOURCES.map((source) => `--${source}`).join(', ')
  if (given.length === 0) throw new UsageError(`one source must be given: ${all}`)
  if (given.length > 1)
    throw new UsageError(`one source must be given, of ${all}, got ${given.map((source) => `--${source}`).join(' and ')}`)
  const ofCharts = { values: '--values', namespace: '--namespace', kubeVersion: '--kube-version', apiVersions: '--api-versions' } as const
  for (const key of ['values', 'namespace', 'kubeVersion', 'apiVersions'] as const)
    if (options[key] !== undefined && options.helm === undefined) throw new UsageError(`\`${ofCharts[key]}\` must come with --helm`)
  if (options.hooks === 'keep' && options.helm === undefined) throw new UsageError('`--hooks` must come with --helm')
  if (options.setters !== undefined && options.package !== undefined)
    throw new UsageError('`--setters` must not come with --package, whose files stay as they are: write the comments into the new revision')
  if (options.suggest === true && (options.helm === undefined || options.values === undefined))
    throw new UsageError('`--suggest` must come with --helm and --values: it lists the fields that files of values change')
}

function setterPlace(written: string): SetterPlace {
  const place = readSetterPlace(written)
  if (place === undefined)
    throw new UsageError(`\`--setters\` must be NAME=PATH@KIND/OBJECT, such as replicas=spec.replicas@Deployment/web, got '${written}'`)
  return place
}

async function suggest({ values = [], as, ...options }: ImportOptions, host: Host): Promise<ExitCode> {
  const name = as === undefined ? 'release' : importPlace(as, host).name
  const [first, ...others] = values
  const before = others.length === 0 ? [] : [first ?? '']
  const [one, other] = [
    await readVendorSource(name, { ...options, values: before }, host),
    await readVendorSource(name, { ...options, values }, host),
  ]
  const { setters: found, others: left } = suggestedSetters(one.objects, other.objects)
  for (const { setter, before, after } of found) host.write(`${printable(setter)}  ${printable(printChange(before, after))}\n`)
  host.warn(`${countOf(found.length, 'field')} ${found.length === 1 ? 'differs' : 'differ'}: each may be an argument of --setters\n`)
  for (const line of left) host.warn(`no setter: ${printable(line)}\n`)
  return 0
}

async function importInto(place: ImportPlace, setters: readonly SetterPlace[], options: ImportOptions, host: Host): Promise<ExitCode> {
  const { catalog, name, revision, last } = place
  const shown = `${catalog}/${name}@${revision}`
  const before = last && { ...last, place: `${catalog}/${name}@${last.revision}` }
  const imported =
    options.package === undefined
      ? await readVendorSource(name, options, host)
      : readPackageSource(options.package, options.gitTimeout, host)
  const origin: ImportOrigin = { ...imported.origin, command: importCommand(options) }
  const newest = place.present ?? (place.isNamed ? undefined : last?.files)
  const files = 'disk' in imported ? imported.disk.files : undefined
  const hasAll = (revision: RevisionFiles) =>
    setters.length === 0 || ('objects' in imported && hasSetters(imported.objects, revision, setters))
  if (newest !== undefined && isSameImport(origin, originOf(newest), files) && hasAll(newest)) {
    host.warn(`nothing to do: ${printable(place.present === undefined ? `${catalog}/${name}@${last?.revision}` : shown)} is this import\n`)
    return 0
  }
  if (place.present !== undefined)
    throw new UsageError(
      `import overwrites nothing, and '${shown}' has other content: choose another revision with --as, or none for the next one`,
    )
  if ('disk' in imported) {
    const files = new Map<string, string | Uint8Array>([...imported.disk.files].map(([path, file]) => [path, file.read()]))
    files.set(KPTFILE, kptfileOfPackage(name, imported, origin))
    host.warn(printResults([...imported.results, ...editedPackage(before, imported.disk.files)], errorStylesFor(host, options)))
    return write({ place, shown, files, disk: imported.disk }, options, host)
  }
  const next = nextRevision({ name, objects: imported.objects, origin, last: before, setters })
  const results = [...imported.results, ...next.results]
  host.warn(printResults(results, errorStylesFor(host, options)))
  if (hasErrors(results)) return 1
  return write({ place, shown, files: next.files, disk: last?.disk }, options, host)
}

interface NewRevision {
  readonly place: ImportPlace
  readonly shown: string
  readonly files: ReadonlyMap<string, string | Uint8Array>
  /** The folder that files are taken from, with their permissions. */
  readonly disk: WholeFolder | undefined
}

/** Writes the folder of a revision beside its place and renames it; prints what it holds and how it differs from the last one. */
async function write({ place, shown, files, disk }: NewRevision, options: ImportOptions, host: Host): Promise<ExitCode> {
  const { catalog, name, revision, last } = place
  const bytes = [...files].map(([path, text]) => {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    return { path, bytes, mode: disk?.files.get(path)?.mode ?? 0o644 }
  })
  const contents = readRevisionFiles(files)
  if (options.dryRun !== true) writeFolderOf(host.locate(catalog), `${name}@${revision}`, bytes)
  const count = objectsOfRevision(contents).length
  host.write(`+ ${printable(`${shown}: ${countOf(count, 'object')} in ${countOf(files.size, 'file')}`)}\n`)
  if (last !== undefined) {
    const changes = revisionChanges(last.files, contents)
    host.write(changesText(changes, `${catalog}/${name}@${last.revision}`, stylesFor(host, options)))
  }
  if (options.dryRun === true) return 2
  if (last !== undefined) host.write(raisableText(await raisable(name, host)))
  return 0
}

function writeFolderOf(catalog: string, folder: string, files: readonly StagedFile[]): void {
  const staging = new Staging(catalog)
  try {
    staging.folder(folder, files)
    staging.commit()
  } catch (error) {
    staging.abort()
    throw error
  }
}

/** Returns the sets of the fleet in the current folder that ask for an older revision of a package; none if the fleet cannot be read. */
async function raisable(name: string, host: Host): Promise<readonly NewerRevision[]> {
  try {
    const newer = await newerUpstreams('.', host)
    return newer.filter(({ upstream }) => upstream.package === name)
  } catch (error) {
    if (!(error instanceof FunctionError || error instanceof UsageError)) throw error
    host.warn('krm-variants outdated lists the sets that may be raised\n')
    return []
  }
}
