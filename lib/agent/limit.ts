/** The sentence for people that ends the answer of a run which has used up its iterations. */
export function limitWarning(maxIterations: number): string {
  const times = maxIterations === 1 ? 'once' : `${maxIterations} times`;
  return `Stopped: the model was asked ${times}, which is the limit. The answer may stop short.`;
}
