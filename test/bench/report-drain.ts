/** Takes all bytes as fast as they come and drops them. @returns how many there were */
export async function drain(stream: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  for await (const bytes of stream) length += bytes.length;
  return length;
}
