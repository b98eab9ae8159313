import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { decodeUtf8 } from '../../src/folder/file-encoding.ts'
import { withoutHooks } from '../../src/intake/hooks.ts'
import type { ImportOrigin } from '../../src/intake/next-revision.ts'
import { type ChartFiles, lookupsOf, randomFields, readsClock } from '../../src/intake/random-values.ts'
import { readVendorObjects, type VendorObject, type VendorObjects } from '../../src/intake/vendor-objects.ts'
import { sha256Hex } from '../../src/kubernetes/truncated-name.ts'
import { programRunner } from '../../src/pipeline/runners/program.ts'
import { CALL_SECONDS } from '../../src/render/options.ts'
import { MAX_INPUT_BYTES } from '../../src/resource-list/limits.ts'
import { FunctionError, hasErrors, type Result } from '../../src/result.ts'
import { shellWord } from '../../src/shell-word.ts'
import type { Host } from '../host.ts'
import { isFile } from '../place-kind.ts'
import { UsageError } from '../usage-error.ts'
import { chartFiles, chartMetadata, folderTexts, isAddress } from './chart-files.ts'
import { explainKustomizeFault, KUSTOMIZATIONS } from './kustomize-faults.ts'
import { failureOf } from './program-failure.ts'

/** The options of `import` that say what to import. */
export interface SourceOptions {
  readonly manifest?: readonly string[]
  readonly helm?: string
  readonly values?: readonly string[]
  readonly namespace?: string
  readonly kubeVersion?: string
  readonly apiVersions?: readonly string[]
  readonly hooks: 'leave-out' | 'keep'
  readonly helmBinary: string
  readonly kustomize?: string
  readonly kustomizeBinary?: string
  readonly enableHelm?: boolean
  readonly package?: string
  readonly allowExec?: boolean
  readonly functionTimeout?: number
}

/** The objects of a source, what was found in them, and where they come from. */
export interface Imported {
  readonly objects: readonly VendorObject[]
  readonly results: readonly Result[]
  readonly origin: Omit<ImportOrigin, 'command'>
}

/**
 * Reads the objects of a source.
 *
 * @param name  of the package; the release of a chart has the same name
 * @throws UsageError for a source that is not there, and a program that fails; FunctionError for what is no object, and for random values
 */
export async function readVendorSource(name: string, options: SourceOptions, host: Host): Promise<Imported> {
  const { manifest, helm, kustomize } = options
  if (manifest !== undefined) return readManifests(manifest, host)
  if (helm !== undefined) return renderChart(name, helm, options, host)
  return buildKustomization(kustomize ?? '', options, host)
}

async function readManifests(files: readonly string[], host: Host): Promise<Imported> {
  for (const file of files) refuseOtherSource(file, host)
  if (files.filter((file) => file === STDIN).length > 1) throw new UsageError('`--manifest` must name stdin, -, once')
  const stdin = files.includes(STDIN) ? Buffer.from(await host.read()) : Buffer.of()
  const texts = files.map((file) =>
    file === STDIN ? { name: 'stdin', bytes: stdin } : { name: file, bytes: readGiven('--manifest', file, host) },
  )
  const objects = wholly(readVendorObjects(texts))
  const version = versionOf(objects, files)
  const sha256 = sha256Hex(texts.length === 1 ? (texts[0]?.bytes ?? '') : texts.map(({ bytes }) => sha256Hex(bytes)).join('\n'))
  const name = texts.map((text) => basename(text.name)).join(' ')
  return { objects, results: [], origin: { source: 'manifest', name, ...(version !== undefined && { version }), sha256 } }
}

/** @throws UsageError for the file by which a kustomization or a chart is known, with the option that takes its folder */
function refuseOtherSource(file: string, host: Host): void {
  const isKustomization = KUSTOMIZATIONS.some((name) => name === basename(file))
  if ((!isKustomization && basename(file) !== 'Chart.yaml') || !isFile(host.locate(file))) return
  const [what, option] = isKustomization ? ['kustomization', '--kustomize'] : ['chart', '--helm']
  const command = `${option} ${shellWord(dirname(file))} --allow-exec`
  throw new UsageError(`\`--manifest\` must name a file with objects, '${file}' is that of a ${what}: ${command} takes its folder`)
}

/** The name of a file that stands for stdin. */
const STDIN = '-'

/** Returns the version that all objects with a label for it have, else the one in the name of a file: `cert-manager-v1.15.0.yaml`. */
function versionOf(objects: readonly VendorObject[], files: readonly string[]): string | undefined {
  const labels = new Set(objects.flatMap(({ object }) => object.labels.get('app.kubernetes.io/version') ?? []))
  const [version] = labels
  if (labels.size === 1) return version
  return files.flatMap(
    (file) => /v?\d+\.\d+(?:\.\d+)?(?:-[0-9A-Za-z.]+?)?(?=[./_-]|$)/.exec(basename(file).replace(/\.ya?ml$/, ''))?.[0] ?? [],
  )[0]
}

async function renderChart(name: string, chart: string, options: SourceOptions, host: Host): Promise<Imported> {
  const files = chartFiles(chart, host)
  const about = chartMetadata(chart, files)
  const values = (options.values ?? []).map((file) => ({ file, bytes: readGiven('--values', file, host) }))
  requireExec('helm', options)
  const isTimed = readsClock(files)
  // Helm formats times in the zone of the machine. Two zones that are 26 hours apart have neither the date nor the hour in common.
  const inZone = (zone: string): Host => (isTimed ? { ...host, environment: { ...host.environment, TZ: zone } } : host)
  const render = async (zone: string) =>
    readVendorObjects([{ name: 'helm template', bytes: await template(name, { chart, files, values }, options, inZone(zone)) }])
  const keeps = options.hooks === 'keep'
  const all = wholly(await render('Etc/GMT+12'))
  const { objects, left } = withoutHooks(all, keeps)
  if (objects.length === 0) {
    const [what, way] =
      withoutHooks(all, true).objects.length === 0
        ? ['tests alone, which are always left out', '']
        : ['hooks alone', ': --hooks keep makes objects of them']
    throw new UsageError(`the chart '${chart}' holds ${what}, so there is nothing to make a package of${way}`)
  }
  // Both runs often are in one second.
  if (isTimed) await setTimeout(1000 - (Date.now() % 1000))
  const second = withoutHooks(wholly(await render('Etc/GMT-14')), keeps)
  // Names of tests are often random: objects that the package lacks make no difference.
  const random = randomFields(objects, second.objects, files)
  if (random.length > 0) throw new FunctionError(random)
  const text = objects.map(({ object }) => object.toText().replace(/\n$/, '')).join('\0')
  return {
    objects,
    results: [...lookupsOf(files), ...left],
    origin: {
      source: 'helm',
      ...about,
      sha256: sha256Hex(text),
      ...(values.length > 0 && { values: sha256Hex(values.map(({ bytes }) => sha256Hex(bytes)).join('\n')) }),
      ...(keeps && { hooks: 'keep' }),
    },
  }
}

interface GivenValues {
  readonly file: string
  readonly bytes: Uint8Array
}

/** Returns the texts of the files of a chart that hold values. */
function valuesIn(files: ChartFiles): readonly string[] {
  return [...files].filter(([path]) => !/(?:^|\/)templates\//.test(path)).map(([, text]) => text)
}

interface GivenChart {
  readonly chart: string
  readonly files: ChartFiles
  readonly values: readonly GivenValues[]
}

/** Runs `helm template`. The release and its namespace are named as the package, so that each run gives the same names. */
async function template(
  name: string,
  { chart, files, values }: GivenChart,
  { helmBinary, namespace = name, kubeVersion, apiVersions = [], functionTimeout }: SourceOptions,
  host: Host,
): Promise<Uint8Array> {
  const words = [
    ...[helmBinary, 'template', name, host.locate(chart), '--namespace', namespace, '--include-crds'],
    ...values.flatMap(({ file }) => ['--values', host.locate(file)]),
    ...(kubeVersion === undefined ? [] : ['--kube-version', kubeVersion]),
    ...apiVersions.flatMap((version) => ['--api-versions', version]),
  ]
  const answer = await runProgram(words, functionTimeout, host)
  if (answer.exitCode === 0) return Buffer.from(answer.stdout)
  if (answer.exitCode === undefined && answer.stderr.includes('no such program'))
    throw new UsageError(
      `no program '${helmBinary}' on the PATH: install Helm (https://helm.sh/docs/intro/install), or name it with --helm-binary`,
    )
  throw new UsageError(
    `helm cannot render the chart '${chart}': ${failureOf(answer.stderr, [...valuesIn(files), ...values.map(({ bytes }) => decodeUtf8(bytes) ?? '')])}${helmHint(answer.stderr)}`,
  )
}

/** Returns a hint for an error of Helm that an option of `import` solves. */
function helmHint(stderr: string): string {
  if (/kubeVersion|incompatible with Kubernetes/.test(stderr)) return '; --kube-version names the version of your clusters'
  if (/missing in charts\/|dependency build|found in Chart.yaml, but missing/.test(stderr))
    return '; run helm dependency build on the chart first'
  if (/cluster unreachable|Kubernetes cluster/.test(stderr)) return '; the chart asks a cluster: render it with values that make it not ask'
  return ''
}

async function buildKustomization(dir: string, options: SourceOptions, host: Host): Promise<Imported> {
  const folder = host.locate(dir)
  const has = KUSTOMIZATIONS.some((name) => isFile(join(folder, name)))
  if (!has) throw new UsageError(`\`--kustomize\` must name a folder with a kustomization.yaml, got '${dir}'`)
  requireExec('kustomize', options)
  const { kustomizeBinary = 'kustomize', functionTimeout, enableHelm } = options
  const helm = enableHelm === true ? ['--enable-helm', '--helm-command', options.helmBinary] : []
  let answer = await runProgram([kustomizeBinary, 'build', folder, ...helm], functionTimeout, host)
  if (options.kustomizeBinary === undefined && answer.exitCode === undefined && answer.stderr.includes('no such program'))
    answer = await runProgram(['kubectl', 'kustomize', folder, ...helm], functionTimeout, host)
  if (answer.exitCode === undefined && answer.stderr.includes('no such program'))
    throw new UsageError(
      options.kustomizeBinary === undefined
        ? 'neither kustomize nor kubectl is on the PATH: install one, or name kustomize with --kustomize-binary'
        : `\`--kustomize-binary\` must name the program kustomize, there is no program '${options.kustomizeBinary}'`,
    )
  if (answer.exitCode !== 0)
    throw new UsageError(explainKustomizeFault(dir, folder, failureOf(answer.stderr, folderTexts(folder).values())))
  const read = readVendorObjects([{ name: `kustomize build ${dir}`, bytes: Buffer.from(answer.stdout) }])
  if (!hasErrors(read.results) && read.objects.length === 0)
    throw new UsageError(`kustomize builds no object of '${dir}', so there is nothing to make a package of: name its files in resources`)
  const objects = wholly(read)
  return { objects, results: [], origin: { source: 'kustomize', name: basename(folder), sha256: sha256Hex(answer.stdout) } }
}

/** Runs a program without a shell, with the user's environment but no cluster. */
async function runProgram(words: readonly string[], seconds: number | undefined, host: Host) {
  const environment = { ...host.environment, KUBECONFIG: '/dev/null', HELM_KUBECONTEXT: undefined, HELM_NAMESPACE: undefined }
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined))
  const runner = programRunner(words, { folder: host.locate('.'), environment: given, seconds: seconds ?? CALL_SECONDS })
  return runner.later === undefined ? runner('') : runner.later('')
}

/** @throws UsageError without --allow-exec */
function requireExec(program: string, { allowExec }: SourceOptions): void {
  if (allowExec !== true)
    throw new UsageError(`\`--${program}\` must come with --allow-exec: it runs ${program}, a program of this machine`)
}

function wholly({ objects, results }: VendorObjects): readonly VendorObject[] {
  if (hasErrors(results)) throw new FunctionError(results)
  if (objects.length === 0) throw new UsageError('the source holds no object, so there is nothing to make a package of')
  return objects
}

/** @throws UsageError for a file that is not there or too large, and for anything but a file */
function readGiven(option: string, file: string, host: Host): Uint8Array {
  const place = host.locate(file)
  if (isAddress(file))
    throw new UsageError(`\`${option}\` must name a file, got the address '${file}': download it first, so that its content is known`)
  const found = statSync(place, { throwIfNoEntry: false })
  if (found === undefined) throw new UsageError(`\`${option}\` must name a file, there is no '${file}'`)
  if (!found.isFile())
    throw new UsageError(
      `\`${option}\` must name a file, '${file}' is ${found.isDirectory() ? 'a folder' : 'a pipe, a socket or a device'}`,
    )
  if (found.size > MAX_INPUT_BYTES)
    throw new UsageError(`\`${option}\` must name a file of at most ${MAX_INPUT_BYTES} bytes, '${file}' has ${found.size}`)
  return readFileSync(place)
}
