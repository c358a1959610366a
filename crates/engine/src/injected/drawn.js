// Defines `injected.drawn`: waits until what this document shows is on the screen.
//
// A frame of another process is drawn apart from the page around it. Before that, input at its place goes to the page around it, and
// a picture has a white hole there.

// As many frames as lie between a change and the screen: laid out, committed, drawn, and one until the browser has it.
const FRAMES_TO_SCREEN = 4;

// With `anew`, what is there now must have been drawn; otherwise anything at all. A document that is not in view is never drawn;
// `limit` is how many ms are waited for it. Tells whether it is on the screen.
injected.drawn = async ({ anew, limit }) => {
  const end = clock.now() + limit;
  const isPainted = () => !anew && clock.paints().length > 0;
  for (let frames = 0; frames < FRAMES_TO_SCREEN && !isPainted(); frames++) {
    const left = end - clock.now();
    if (left <= 0) return false;
    await nextFrame(left);
  }
  return true;
};
