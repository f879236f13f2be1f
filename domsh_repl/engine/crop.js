// The part of a picture (PNG in base64) that shows a box of the view, in CSS pixels; the whole
// picture is `across` of them wide. Nothing of it is put into the page.
async function crop(png, left, top, width, height, across) {
  const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const scale = bitmap.width / across, measure = (length) => Math.max(Math.round(length * scale), 1);
  const canvas = new OffscreenCanvas(measure(width), measure(height));
  canvas.getContext('2d').drawImage(bitmap, -Math.round(left * scale), -Math.round(top * scale));
  const cropped = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  const parts = [];
  for (let at = 0; at < cropped.length; at += 4096) parts.push(String.fromCharCode(...cropped.subarray(at, at + 4096)));
  return btoa(parts.join(''));
}
