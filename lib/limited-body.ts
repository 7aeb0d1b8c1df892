/** The response, whose body breaks off with an error where it is longer than `most` bytes. */
export function limitedBody(response: Response, most: number, error: () => Error): Response {
  if (!response.body) return response;
  let size = 0;
  const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      size += piece.length;
      if (size <= most) controller.enqueue(piece);
      else controller.error(error());
    },
  });
  return new Response(response.body.pipeThrough(count), response);
}
