import { compareText } from '../field-path.ts'
import { layOutFile, textAsRead } from '../folder/assemble-file.ts'
import type { FileChange } from '../folder/file-changes.ts'
import { readPackageFile } from '../folder/read-package-file.ts'
import { asList, asRecord, equalJson, isRecord, type JsonRecord, type JsonValue, lookup } from '../json.ts'
import { statusByHand } from '../merge/rendering.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import { DEFAULT_PREFIX, printImage, resolveImage } from './image.ts'
import { type PackageInTree, packagesInTree } from './package-tree.ts'
import type { PipelineRun } from './run-pipelines.ts'
import { functionName, type StepRun } from './step-run.ts'

/** The outcome of a run that the status of a package reports. */
export interface StatusInput {
  readonly run: PipelineRun
  readonly root: PackageInTree
  /** The name of the root package's folder, with which kpt names packages. */
  readonly folderName: string
  readonly imagePrefix: string | undefined
}

/**
 * Returns the changes of a run together with the status that kpt writes into the root Kptfile: the condition `Rendered`, and
 * `renderStatus` with one entry for each function of all packages in the order of the run (docs/kpt-render R36, R40). A Kptfile that the
 * run deletes gets no status.
 */
export function withRenderStatus(changes: readonly FileChange[], input: StatusInput): readonly FileChange[] {
  const own = changes.find(({ path }) => path === KPTFILE)
  if (own?.op === 'delete') return changes
  const read = input.root.files.get(KPTFILE)
  const before = read === undefined ? undefined : textAsRead(read)
  const { file } = readPackageFile(KPTFILE, Buffer.from(own?.text ?? before ?? ''))
  const documents = file?.documents.flatMap(({ object }) => (object === undefined ? [] : [object])) ?? []
  const [kptfile] = documents
  if (kptfile === undefined) return changes
  const former = asRecord(kptfile.get(['status']))
  const status = statusAfter(former, input)
  if (equalJson(former, status)) return changes
  // The entry of another run says nothing about the order of the fields of this one.
  if (former.renderStatus !== undefined) kptfile.delete(['status', 'renderStatus'])
  kptfile.set(['status'], status)
  const merged = documents.map((object) => ({ source: object, text: object.toText() }))
  const text = layOutFile(merged, { path: KPTFILE, before: file })
  const others = changes.filter((change) => change !== own)
  const change: FileChange = { path: KPTFILE, op: 'update', text, ...(before !== undefined && { before }) }
  return [...others, change].sort((a, b) => compareText(a.path, b.path))
}

function statusAfter(before: JsonRecord, input: StatusInput): JsonRecord {
  const { conditions, ...others } = statusByHand(before)
  const kept = asList(conditions)
  const renderStatus = renderStatusOf(input)
  return { ...others, conditions: [...kept, renderedCondition(input)], ...(renderStatus !== undefined && { renderStatus }) }
}

function renderedCondition({ run, root, folderName }: StatusInput): JsonRecord {
  const { isComplete, steps, results } = run
  if (isComplete) return { type: 'Rendered', status: 'True', reason: 'RenderSuccess' }
  const last = steps.at(-1)
  const reason = last === undefined ? (results.at(-1)?.message ?? '') : (last.error ?? 'already handled error')
  return {
    type: 'Rendered',
    status: 'False',
    reason: 'RenderFailed',
    message: `pkg.render: ${chainOf(last?.node.folder ?? '', { run, root, folderName })}${reason}`,
  }
}

/**
 * Returns the packages around a failed function, as kpt prints the chain.
 *
 * @example  for `b` in `a` in `shop`: `pkg shop/a:\n\tpkg shop/a/b:\n\tpipeline.run: `; top-down: `pkg shop:\n\tpipeline.run: pkg shop/a/b:
 *   `
 */
function chainOf(failed: string, { run, root, folderName }: Pick<StatusInput, 'run' | 'root' | 'folderName'>): string {
  const place = (folder: string) => `pkg ${folder === '' ? folderName : `${folderName}/${folder}`}`
  if (failed === '') return `${place('')}:\n\tpipeline.run: `
  if (run.isTopDown) return `${place('')}:\n\tpipeline.run: ${place(failed)}: `
  const around = packagesInTree(root).filter(({ folder }) => folder !== '' && failed.startsWith(`${folder}/`))
  return `${[...around.map(({ folder }) => folder), failed].map((folder) => `${place(folder)}:\n\t`).join('')}pipeline.run: `
}

function renderStatusOf({ run: { steps, isComplete }, imagePrefix }: StatusInput): JsonRecord | undefined {
  const called = steps.filter(({ isSkipped }) => !isSkipped)
  if (called.length === 0) return undefined
  const entries = (stage: string) => called.filter(({ step }) => step.stage === stage).map((each) => stepStatus(each, imagePrefix))
  const [mutationSteps, validationSteps] = [entries('mutators'), entries('validators')]
  return {
    ...(mutationSteps.length > 0 && { mutationSteps }),
    ...(validationSteps.length > 0 && { validationSteps }),
    ...(!isComplete && { errorSummary: summaryOf(called) }),
  }
}

function summaryOf(called: readonly StepRun[]): string {
  const failed = called.filter((each) => exitCodeOf(each) !== 0)
  return failed.map((each) => `${functionName(each.step)}: ${each.error ?? `exit code ${exitCodeOf(each)}`}`).join('; ')
}

function exitCodeOf({ answer, error }: StepRun): number {
  return error === undefined ? (answer?.exitCode ?? 1) : 1
}

function stepStatus(each: StepRun, imagePrefix: string | undefined): JsonRecord {
  const { step, answer, error, reported } = each
  const results = reported.map(resultStatus)
  const errors = results.filter(({ severity }) => severity === 'error')
  const program =
    step.image === '' ? { exec: step.exec } : { image: printImage(resolveImage(step.image, step.tag, imagePrefix ?? DEFAULT_PREFIX)) }
  const stderr = answer?.exitCode === undefined ? '' : answer.stderr
  return {
    ...(step.name !== '' && { name: step.name }),
    ...program,
    ...(stderr !== '' && { stderr }),
    ...(error !== undefined && { executionError: error }),
    exitCode: exitCodeOf(each),
    ...(results.length > 0 && { results }),
    ...(errors.length > 0 && { errorResults: errors }),
  }
}

const RESULT_FIELDS = ['message', 'severity', 'resourceRef', 'field', 'file', 'tags'] as const

/** Returns a result of a function with the fields that kpt knows, in kpt's order. */
function resultStatus(result: JsonRecord): JsonRecord {
  return Object.fromEntries(
    RESULT_FIELDS.flatMap((key): (readonly [string, JsonValue])[] => {
      const value = key === 'file' ? withoutFirstIndex(lookup(result, key)) : lookup(result, key)
      return value === undefined || (isRecord(value) && Object.keys(value).length === 0) ? [] : [[key, value]]
    }),
  )
}

/** Returns a file without the index of its first document, which kpt leaves out. */
function withoutFirstIndex(file: JsonValue | undefined): JsonValue | undefined {
  if (!isRecord(file) || (lookup(file, 'index') !== 0 && lookup(file, 'index') !== 0n)) return file
  const { index: _, ...others } = file
  return others
}
