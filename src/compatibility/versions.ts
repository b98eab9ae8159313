import type { KptFacts, PorchFacts } from './system-differences.ts'

const GCR = 'gcr.io/kpt-fn'
const GHCR = 'ghcr.io/kptdev/krm-functions-catalog'

const NEWEST_FIELDS = ['configRef', 'when']

/** kpt beta.56 knows no `tag` and looks for short names at gcr.io (recorded runs of both versions). */
export const KPT_BETA_56: KptFacts = { name: 'kpt 1.0.0-beta.56', unknownFields: ['tag', ...NEWEST_FIELDS], imagePrefix: GCR }
export const KPT_BETA_67: KptFacts = { name: 'kpt 1.0.0-beta.67', unknownFields: NEWEST_FIELDS, imagePrefix: GHCR }

/** Porch 1.5.3 of September 2025: its go.mod has kpt beta.48, its builtinruntime.go the images. */
export const PORCH_1_5_3: PorchFacts = {
  name: 'Porch 1.5.3',
  kpt: { name: 'the kpt 1.0.0-beta.48 in Porch 1.5.3', unknownFields: ['tag', ...NEWEST_FIELDS], imagePrefix: GCR },
  droppedFields: ['tag', ...NEWEST_FIELDS],
  inProcess: { 'apply-replacements': ['v0.1.1', 'v0.1'], 'set-namespace': ['v0.4.1', 'v0.4'], starlark: ['v0.4.3', 'v0.4'] },
  hasFunctionConfigs: false,
}

/** Porch 1.5 of April 2026, whose controllers gave the recorded answers (docs/porch.md). */
export const PORCH_1_5: PorchFacts = {
  name: 'Porch 1.5',
  kpt: { name: 'the kpt 1.0.0-beta.62 in Porch 1.5', unknownFields: NEWEST_FIELDS, imagePrefix: GHCR },
  droppedFields: NEWEST_FIELDS,
  hasFunctionConfigs: false,
}

/** Porch's main branch of August 2026: the pipelines of its CRDs are those of a kpt with `when` and `configRef`. */
export const PORCH_MAIN: PorchFacts = {
  name: 'the main branch of Porch',
  kpt: { name: 'the kpt in the main branch of Porch', unknownFields: [], imagePrefix: GHCR },
  droppedFields: [],
  inProcess: { 'apply-replacements': ['v0.1', 'v0.1.5'], 'set-namespace': ['v0.4', 'v0.4.5'], starlark: ['v0.5', 'v0.5.5'] },
  hasFunctionConfigs: true,
}
