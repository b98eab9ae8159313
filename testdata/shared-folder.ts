/**
 * Whether the folder `shared` beside the repository (public files, recorded answers, the documents that describe the API) must be there:
 * where CI runs, unless it says that it has none, with SHARED=none. Elsewhere tests over it are left out without it.
 */
export const SHARED_MUST_BE_THERE = process.env.CI === 'true' && process.env.SHARED !== 'none'
