import type { VariantSet } from '../kinds/variant-set.ts'
import { NO_EXCLUSIONS, readExclusions } from './exclusions.ts'
import type { SetSurroundings } from './fleet.ts'
import { NO_INPUTS, readInputs } from './inputs.ts'
import { findUpstreams, NO_RINGS, readRings } from './rings.ts'
import type { ExpressionCompiler } from './template-programs.ts'
import type { Unrolling } from './unroll-targets.ts'

/** Looks up the upstreams of a set, and reads its exclusions, inputs and rings. */
export function readUnrolling(set: VariantSet, surroundings: SetSurroundings, compiler: ExpressionCompiler): Unrolling {
  return {
    upstreams: findUpstreams(set, surroundings),
    exclusions: readExclusions(set, surroundings),
    inputs: readInputs(set, surroundings, compiler),
    rings: readRings(set, surroundings, compiler),
  }
}

/** The unrolling of a set with faults, for which no variants are made. */
export const NOTHING_TO_UNROLL: Unrolling = {
  upstreams: {
    all: [],
    of: (index) => {
      throw new RangeError(`a set with faults has no upstream ${index}`)
    },
  },
  exclusions: NO_EXCLUSIONS,
  inputs: NO_INPUTS,
  rings: NO_RINGS,
}
