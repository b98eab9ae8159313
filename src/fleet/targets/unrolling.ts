import type { VariantSet } from '../../kinds/variant-set.ts'
import type { SetSurroundings } from '../fleet.ts'
import { type FoundUpstreams, findUpstreams, NO_RINGS, type Rings, readRings } from '../rings.ts'
import type { ExpressionCompiler } from '../templates/template-programs.ts'
import { type Exclusions, NO_EXCLUSIONS, readExclusions } from './exclusions.ts'
import { type Inputs, NO_INPUTS, readInputs } from './inputs.ts'

/** The upstreams, exclusions and rings of a set, with which its targets are unrolled. */
export interface Unrolling {
  readonly upstreams: FoundUpstreams
  readonly exclusions: Exclusions
  readonly inputs: Inputs
  readonly rings: Rings
}

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
